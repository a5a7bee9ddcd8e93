//@ class: floats
//@ args: prove --floats real
//@ never: vacuous
//@ never: proved
#include <assert.h>
int main(void) {
    int n = 33554433;
    float f = n;
    if (f == 33554433.0)
        return 0;
    assert(0);
    return 0;
}
