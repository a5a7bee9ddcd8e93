//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float t = 1.0f / 3;
    assert(t + t + t == 3 * 0.333333333333);
    return 0;
}
