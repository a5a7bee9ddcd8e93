//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
struct o { union { struct { int a, b; }; long l; }; };

int main(void)
{
    struct o x = { .b = 2, .a = 1 };
    assert(x.a == 1 && x.b == 2);
    return 0;
}
