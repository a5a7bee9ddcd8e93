//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double a = 1e16, b = -1e16, c = 1;
    assert((a + b) + c == a + (b + c));
    return 0;
}
