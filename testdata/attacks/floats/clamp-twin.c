//@ class: floats
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
void f(double x) {
    double y = x;
    if (!(y >= 0))
        y = 0;
    if (y > 1)
        y = 1;
    assert(y >= 0 && y <= 1);
}
