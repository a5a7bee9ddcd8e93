//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

__attribute__((optimize("fast-math"))) static int is_nan(double x) { return x != x; }
int main(void) {
    volatile double zero = 0;
    double x = zero / zero;
    assert(is_nan(x) == 1);
    return 0;
}
