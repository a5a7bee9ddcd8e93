//@ class: library
//@ args: prove
//@ twin: proved
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    if (f >= 0)
        assert(floorf(f) <= f && ceilf(f) >= f);
    return 0;
}
