//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float a = 3e38f, b = a * 10;
    assert(b - b == 0);
    return 0;
}
