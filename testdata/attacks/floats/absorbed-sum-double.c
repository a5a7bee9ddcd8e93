//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double a = 1e16, b = a + 1;
    assert(b - a == 1);
    return 0;
}
