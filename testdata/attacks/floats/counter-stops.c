//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float f = 16777216.0f;
    float g = f;
    g += 1;
    g += 1;
    assert(g == f + 2);
    return 0;
}
