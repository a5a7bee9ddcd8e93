//@ class: datamodel
//@ args: prove -- -ffast-math
//@ never: proved
#include <assert.h>
int main(void)
{
    volatile double zero = 0;
    double n = zero / zero;
    assert(n != n);
    return 0;
}
