//@ class: datamodel
//@ args: prove -- -fno-strict-overflow
//@ never: proved
#include <assert.h>
int main(void)
{
    int x = -2147483647 - 1;
    int y = -x;
    assert(y > 0);
    return 0;
}
