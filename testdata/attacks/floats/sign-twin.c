//@ class: floats
//@ args: prove
//@ twin: proved
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    assert(!(x < 0) || signbit(x));
    assert(!(x > 0) || !signbit(x));
    assert(signbit(-0.0) && !signbit(0.0));
    assert(fmod(-5.5, 2.0) == -1.5 && fmod(1.0, INFINITY) == 1.0);
    return 0;
}
