//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
struct o { union { struct { int a, b; }; long l; }; } x = { .a = 1, .b = 2 };

int main(void)
{
    assert(x.a == 1 && x.b == 2);
    return 0;
}
