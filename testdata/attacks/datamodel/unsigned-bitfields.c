//@ class: datamodel
//@ args: prove -- -funsigned-bitfields
//@ never: proved
#include <assert.h>
struct s { int f : 3; } x;

int main(void)
{
    x.f = -1;
    assert(x.f == -1);
    return 0;
}
