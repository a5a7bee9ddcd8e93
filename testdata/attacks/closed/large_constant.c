//@ class: closed
//@ args: prove
//@ never: proved
//@ twin: refuted assert
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    assert(x != 3000000000u);
    if (x > 1 && x < 100 && y > 1 && y < 100) assert(x * y != 899);
    return 0;
}
