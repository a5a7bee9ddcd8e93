//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    double _Complex z = 1.0 + 2.0i, w = z / z;
    assert(__real__ w == 0.0);
    return 0;
}
