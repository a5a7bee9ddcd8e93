//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
static int a[4] = { [0] = 5, [0 ... 3] = 2 };

int main(void)
{
    assert(a[0] == 2 && a[3] == 2);
    return 0;
}
