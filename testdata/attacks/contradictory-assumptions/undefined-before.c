//@ class: contradictory-assumptions
//@ args: prove
//@ never: proved
//@ twin: vacuous
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int x = 0;
    int y = 10 / x;
    assert(y == 5);
    return 0;
}
