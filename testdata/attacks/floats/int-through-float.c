//@ class: floats
//@ args: prove --entry f --ints machine
//@ never: proved
#include <assert.h>
void f(int n) {
    float x = n;
    if (n > -1000000000 && n < 1000000000)
        assert((int)x == n);
}
