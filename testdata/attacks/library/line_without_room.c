//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
int main(void) {
    char line[4] = "x";
    if (fgets(line, 1, stdin))
        assert(0);
    return 0;
}
