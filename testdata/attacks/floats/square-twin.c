//@ class: floats
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
void f(double x) {
    if (x >= 0)
        assert(!(x * 2 < 0));
}
