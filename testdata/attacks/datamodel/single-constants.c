//@ class: datamodel
//@ args: prove -- -fsingle-precision-constant
//@ never: proved
#include <assert.h>
int main(void)
{
    assert(sizeof(0.1) == 8);
    return 0;
}
