//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    double _Complex z = 1.0 + 2.0i, w = z * z;
    assert(__imag__ w == 5.0);
    return 0;
}
