//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double a = 1e308;
    assert(a * 10 / 10 == a);
    return 0;
}
