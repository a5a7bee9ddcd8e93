//@ class: floats
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void f(float x) {
    if (x >= 0)
        assert(x + 1 > x);
}
