//@ class: floats
//@ args: prove
//@ twin: proved
#include <assert.h>
int main(void) {
    long double a = 1.0L + 1e-18L;
    assert(a > 1.0L);
    return 0;
}
