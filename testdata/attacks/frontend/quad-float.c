//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    _Float128 x = 1;
    if (x > 0)
        assert(0);
    return 0;
}
