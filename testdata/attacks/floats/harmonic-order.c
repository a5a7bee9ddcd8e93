//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double up = 0, down = 0;
    int i;
    for (i = 1; i <= 15; i++)
        up += 1.0 / i;
    for (i = 15; i >= 1; i--)
        down += 1.0 / i;
    assert(up == down);
    return 0;
}
