//@ class: datamodel
//@ args: prove -- -O2 -mfma
//@ never: proved
#include <assert.h>
int main(void)
{
    volatile double a = 0.1, b = 10.0;
    double r = a * b - 1.0;
    assert(r == 0.0);
    return 0;
}
