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

    union twice t;
    t.d = __VERIFIER_nondet_double();
    if (t.d < 0.0) {
        t.word.high &= 0x7fffffffu;
        assert(t.d > 0.0);
    }
    unsigned long bits;
    double d = 1.0 + (__VERIFIER_nondet_float() > 0.0f);
    memcpy(&bits, &d, sizeof bits);
    assert(bits == 0x3ff0000000000000ul || bits == 0x4000000000000000ul);
    return 0;
}
