//@ class: floats
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
void f(float x) {
    if (x >= 0 && x <= 100)
        assert(x + 1 >= 1);
}
