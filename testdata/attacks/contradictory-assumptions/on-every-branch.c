//@ class: contradictory-assumptions
//@ args: prove
//@ never: proved
//@ twin: vacuous
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        __VERIFIER_assume(x < 0);
    else
        __VERIFIER_assume(x > 0);
    assert(0);
    return 0;
}
