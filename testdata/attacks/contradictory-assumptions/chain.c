//@ class: contradictory-assumptions
//@ args: prove
//@ never: proved
//@ twin: vacuous
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    __VERIFIER_assume(a < b);
    __VERIFIER_assume(b < c);
    __VERIFIER_assume(c < a);
    assert(a == b);
    return 0;
}
