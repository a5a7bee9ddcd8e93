//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float a = 0.1f, b = 3.0f, c = 7.3f;
    assert(a * (b + c) == a * b + a * c);
    return 0;
}
