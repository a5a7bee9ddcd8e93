//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
static int f(void)
{
    double _Complex z = 1;
    return z == 1;
}

int main(void)
{
    int x = f();
    assert(x == 0);
    return 0;
}
