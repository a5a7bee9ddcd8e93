//@ class: datamodel
//@ args: prove -- -mlong-double-64
//@ never: proved
#include <assert.h>
int main(void)
{
    assert(sizeof(long double) == 16);
    return 0;
}
