//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x == 0)
        assert(!signbit(x));
    return 0;
}
