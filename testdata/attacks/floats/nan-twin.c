//@ class: floats
//@ args: prove
//@ twin: proved
#include <assert.h>
int main(void) {
    double z = 0, n = z / z;
    assert(n != n && !(n < 0) && !(n >= 0));
    return 0;
}
