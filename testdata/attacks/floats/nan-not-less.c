//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double z = 0, n = z / z;
    assert(!(n >= 1) == (n < 1));
    return 0;
}
