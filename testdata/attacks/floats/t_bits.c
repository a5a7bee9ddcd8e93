//@ class: floats
//@ args: prove
//@ twin: proved assert
#include <assert.h>
#include <string.h>

union single { float f; unsigned u; };
union twice { double d; struct { unsigned low, high; } word; };
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    union single s;
    s.f = __VERIFIER_nondet_float();
    if (s.f >= 1.0f && s.f < 2.0f) assert(s.u >> 23 == 127);
    if (s.f != s.f) assert((s.u & 0x7fffffffu) > 0x7f800000u);
    unsigned first = s.u, again = s.u;
    assert(first == again);
    return 0;
}
