//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
struct o { union { struct { int a, b; }; long l; }; } x = { .a = 1, .b = 2 };

int main(void)
{
    assert(x.a == 0);
    return 0;
}
