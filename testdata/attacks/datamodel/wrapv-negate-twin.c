//@ class: datamodel
//@ args: prove -- -fno-strict-overflow
//@ twin: proved
#include <assert.h>
int main(void)
{
    int x = -2147483647 - 1;
    int y = -x;
    assert(y == x);
    return 0;
}
