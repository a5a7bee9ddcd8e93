//@ class: contradictory-assumptions
//@ args: prove
//@ twin: proved
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int x = __VERIFIER_nondet_int(), i = 0;
    __VERIFIER_assume(x > 5);
    while (i < x)
        i++;
    assert(i == x);
    return 0;
}
