//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    long double a = 1.0L + 1e-18L;
    double b = a;
    assert(a == b);
    return 0;
}
