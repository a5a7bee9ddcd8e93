//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[16];
    int length = sprintf(text, "%d", __VERIFIER_nondet_int());
    assert(length < 11);
    return 0;
}
