//@ class: closed
//@ args: prove
//@ twin: proved assert
#include <assert.h>

union bits { float f; unsigned u; };
int main(void) {
    union bits b;
    b.f = 1.5f;
    assert(b.u == 0x3fc00000u);
    double sum = 0;
    for (int i = 0; i < 10; i++) sum += 0.1;
    assert(sum != 1.0 && sum > 0.99);
    return 0;
}
