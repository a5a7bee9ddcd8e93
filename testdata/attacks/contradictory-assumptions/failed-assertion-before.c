//@ class: contradictory-assumptions
//@ args: prove
//@ never: proved
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != x);
    assert(x == 5);
    return 0;
}
