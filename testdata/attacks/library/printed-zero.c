//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[16];
    assert(sprintf(text, "%.0d", __VERIFIER_nondet_int()) > 0);
    return 0;
}
