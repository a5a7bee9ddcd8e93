//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float a = 1e8f, b = a + 1;
    assert(b > a);
    return 0;
}
