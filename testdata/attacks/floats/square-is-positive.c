//@ class: floats
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void f(double x) {
    if (x > 0)
        assert(x * x > 0);
}
