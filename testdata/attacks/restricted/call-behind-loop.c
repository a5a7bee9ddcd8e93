//@ class: restricted
//@ args: prove
//@ never: proved
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int both(int *restrict p, int *restrict q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    unsigned rounds = 0, n = __VERIFIER_nondet_uint();
    while (rounds < n) rounds++;
    int x;
    int seen = both(&x, &x);
    assert(seen == 2);
    return 0;
}
