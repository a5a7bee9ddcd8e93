//@ class: floats
//@ args: prove --entry f --ints machine
//@ twin: proved
#include <assert.h>
void f(int n) {
    float x = n;
    if (n >= 0 && n <= 255)
        assert((int)x == n);
}
