//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>

union single { float f; unsigned u; };
extern float __VERIFIER_nondet_float(void);
int main(void) {
    union single s;
    s.f = __VERIFIER_nondet_float();
    float sum = s.f + 1.0f;
    if (sum != sum) {
        s.f = sum;
        assert(s.u == 0x7fc00000u);
    }
    return 0;
}
