//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
union u { struct { int a, b; } s; long l; } x = { .s.b = 7, .l = 5 };

int main(void)
{
    assert(x.l == 5);
    return 0;
}
