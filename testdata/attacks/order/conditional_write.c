//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
    int v = 1, *p = &v, other = 5;
    int *q = __VERIFIER_nondet_int() ? p : &other;
    int x = *p + (*q = 7);
    assert(x == 8);
    return 0;
}
