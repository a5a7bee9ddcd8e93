//@ class: datamodel
//@ args: prove -- -funsigned-bitfields
//@ never: proved
#include <assert.h>
typedef int number;
typedef signed int integer;
struct s { number f : 3; integer g : 3; } x;

int main(void)
{
    x.f = -1;
    x.g = -1;
    assert(x.f == -1 || x.g == 7);
    return 0;
}
