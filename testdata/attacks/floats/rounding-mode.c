//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
#include <fenv.h>
int main(void) {
    volatile double three = 3;
    double before = 1 / three, after;
    fesetround(FE_UPWARD);
    after = 1 / three;
    assert(before == after);
    return 0;
}
