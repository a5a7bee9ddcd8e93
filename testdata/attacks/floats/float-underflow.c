//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float a = 1e-30f;
    assert(a * a != 0);
    return 0;
}
