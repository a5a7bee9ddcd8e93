//@ class: datamodel
//@ args: prove -- -fsingle-precision-constant
//@ twin: proved
#include <assert.h>
int main(void)
{
    assert(sizeof(0.1) == 4);
    return 0;
}
