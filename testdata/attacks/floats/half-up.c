//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double x = 0.49999999999999994;
    assert((int)(x + 0.5) == 0);
    return 0;
}
