//@ class: contradictory-assumptions
//@ args: prove --entry f
//@ never: proved
//@ twin: vacuous
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
extern void vassume(int);
int f(int x) {
    vassume(x >= 10);
    vassume(x <= 9);
    assert(x == 1);
    return x;
}
int main(void) { return 0; }
