//@ class: floats
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void f(double x, double y) {
    assert(x < y || x == y || x > y);
}
