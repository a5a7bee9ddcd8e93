//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
static int m[2][3] = { [0 ... 1][1 ... 2] = 7 };

int main(void)
{
    assert(m[0][1] == 0);
    return 0;
}
