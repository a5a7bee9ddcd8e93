//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static char buffer[BUFSIZ];
int main(void) {
    setbuf(stdout, buffer);
    printf("x");
    if (__VERIFIER_nondet_int())
        assert(buffer[0] == 0);
    return 0;
}
