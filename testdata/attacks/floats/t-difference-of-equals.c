//@ class: floats
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
void f(double x, double y) {
    if (x - y == 0)
        assert(x == y && x - x == 0);
}
