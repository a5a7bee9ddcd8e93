//@ class: contradictory-assumptions
//@ args: prove --ints machine
//@ never: proved
//@ twin: vacuous
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    unsigned x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x + 1 < x);
    __VERIFIER_assume(x < 5);
    assert(x == 9);
    return 0;
}
