//@ class: floats
//@ args: prove
//@ twin: proved
#include <assert.h>
int main(void) {
    double d = 0.1;
    float f = d;
    assert(f > d);
    return 0;
}
