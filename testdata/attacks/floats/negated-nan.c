//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double z = 0, n = z / z;
    assert(-n == 0 - n || n == 0);
    return 0;
}
