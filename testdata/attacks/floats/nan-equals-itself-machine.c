//@ class: floats
//@ args: prove --ints machine
//@ never: proved
#include <assert.h>
int main(void) {
    double z = 0, n = z / z;
    assert(n == n);
    return 0;
}
