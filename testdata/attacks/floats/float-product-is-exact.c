//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    float a = 16777215.0f;
    assert((double)(a * a) == (double)a * a);
    return 0;
}
