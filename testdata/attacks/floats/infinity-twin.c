//@ class: floats
//@ args: prove
//@ twin: proved
#include <assert.h>
int main(void) {
    double z = 0;
    assert(1 / z > 1e308 && -1 / z < -1e308);
    return 0;
}
