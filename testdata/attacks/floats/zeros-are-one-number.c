//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double z = 0.0, m = -0.0;
    if (z == m)
        assert(1 / z == 1 / m);
    return 0;
}
