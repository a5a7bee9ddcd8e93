//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    int n = 2147483647;
    float f = n;
    assert(f < 2147483648.0f);
    return 0;
}
