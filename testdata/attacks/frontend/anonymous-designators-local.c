//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
struct o { union { struct { int a, b; }; long l; }; };

int main(void)
{
    struct o x = { .b = 2, .a = 1 };
    assert(x.b == 0);
    return 0;
}
