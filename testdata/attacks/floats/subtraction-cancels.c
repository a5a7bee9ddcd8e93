//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double a = 1.0000000000000002, b = 1;
    assert((a - b) * 1e16 == 2);
    return 0;
}
