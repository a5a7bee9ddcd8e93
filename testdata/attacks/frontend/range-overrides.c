//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
static int a[4] = { [0] = 5, [0 ... 3] = 2 };

int main(void)
{
    assert(a[1] == 0);
    return 0;
}
