//@ class: datamodel
//@ args: prove -- -fwrapv
//@ never: proved
#include <assert.h>
int main(void)
{
    int x = 2147483647;
    int y = x + 1;
    assert(y > x);
    return 0;
}
