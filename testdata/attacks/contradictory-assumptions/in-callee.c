//@ class: contradictory-assumptions
//@ args: prove
//@ never: proved
//@ twin: vacuous
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
static void narrow(int x) {
    __VERIFIER_assume(x > 5);
    __VERIFIER_assume(x < 3);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    narrow(x);
    assert(x == 1);
    return 0;
}
