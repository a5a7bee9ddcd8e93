//@ class: datamodel
//@ args: prove -- -m32
//@ never: proved
#include <assert.h>
int main(void)
{
    assert(sizeof(long) == 8);
    return 0;
}
