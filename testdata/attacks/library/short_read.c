//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <unistd.h>
int main(void) {
    char text[2];
    if (read(0, text, 2) == 1)
        assert(read(0, text, 1) == 0);
    return 0;
}
