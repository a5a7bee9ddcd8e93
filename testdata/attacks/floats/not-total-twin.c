//@ class: floats
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
void f(double x, double y) {
    if (x < y)
        assert(!(x >= y) && y > x && x != y);
}
