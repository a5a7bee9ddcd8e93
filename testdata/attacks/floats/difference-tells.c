//@ class: floats
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void f(double x, double y) {
    if (x - y == 0)
        return;
    assert(x != y && x - x == 0);
}
