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
    __VERIFIER_assume(x > 5 && x < 3);
    assert(x == 7);
    return 0;
}
