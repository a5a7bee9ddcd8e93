//@ class: closed
//@ args: prove --overflow
//@ never: exit 0
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    assert(__builtin_ctz(x) <= 31);
    return 0;
}
