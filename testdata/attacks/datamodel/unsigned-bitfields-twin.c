//@ class: datamodel
//@ args: prove -- -funsigned-bitfields
//@ twin: proved
#include <assert.h>
struct s { int f : 3; } x;

int main(void)
{
    x.f = -1;
    assert(x.f == 7);
    return 0;
}
