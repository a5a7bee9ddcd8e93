//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
union u { struct { int a, b; } s; long l; } x = { .s.b = 7, .l = 5 };

int main(void)
{
    assert(x.s.b == 7);
    return 0;
}
