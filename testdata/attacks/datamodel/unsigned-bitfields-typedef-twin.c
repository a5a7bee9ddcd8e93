//@ class: datamodel
//@ args: prove -- -funsigned-bitfields
//@ twin: proved
#include <assert.h>
typedef int number;
typedef signed int integer;
struct s { number f : 3; integer g : 3; } x;

int main(void)
{
    x.f = -1;
    x.g = -1;
    assert(x.f == 7 && x.g == -1);
    return 0;
}
