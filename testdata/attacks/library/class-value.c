//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <ctype.h>
int main(void) {
    int c = '5';
    assert((isdigit)(c) == 2048);
    return 0;
}
