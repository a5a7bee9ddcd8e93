//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double a = 1, b = 49;
    assert(a / b * b == a);
    return 0;
}
