//@ class: floats
//@ args: prove
//@ never: proved
//@ twin: refuted assert
#include <assert.h>

union single { float f; unsigned u; };
extern float __VERIFIER_nondet_float(void);
int main(void) {
    union single s;
    s.f = __VERIFIER_nondet_float();
    if (s.f == 0.0f) assert(s.u == 0);
    if (s.f > 0.0f) assert(s.u != 0x42f6e979u);
    return 0;
}
