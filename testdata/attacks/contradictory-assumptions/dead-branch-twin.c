//@ class: contradictory-assumptions
//@ args: prove
//@ twin: proved
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        __VERIFIER_assume(0);
    assert(x >= 0);
    return 0;
}
