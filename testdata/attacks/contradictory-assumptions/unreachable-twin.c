//@ class: contradictory-assumptions
//@ args: prove
//@ twin: proved
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 5);
    if (x < 3)
        reach_error();
    return 0;
}
