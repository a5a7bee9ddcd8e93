//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float f = 0.1f;
    assert(f == 0.1);
    return 0;
}
