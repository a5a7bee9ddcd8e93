//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double a = 4.9406564584124654e-324;
    assert(a / 2 > 0);
    return 0;
}
