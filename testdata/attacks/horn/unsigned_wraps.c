//@ class: horn
//@ args: prove
//@ never: proved
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), s = n;
    while (__VERIFIER_nondet_uint() & 1) s += 2;
    assert(s >= n);
    return 0;
}
