//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double a = 1e-200;
    assert(a * a > 0);
    return 0;
}
