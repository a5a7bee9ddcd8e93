//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
static struct { int x, y; } s[3] = { [0 ... 2].y = 4, [1].x = 1 };

int main(void)
{
    assert(s[2].y == 0);
    return 0;
}
