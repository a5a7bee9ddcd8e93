//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static char buffer[BUFSIZ];
int main(void) {
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    while (__VERIFIER_nondet_int()) {
        buffer[0] = 0;
        putchar('x');
        assert(buffer[0] == 0);
    }
    return 0;
}
