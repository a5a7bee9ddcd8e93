//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    double _Complex z = 1;
    if (z == 1)
        assert(0);
    return 0;
}
