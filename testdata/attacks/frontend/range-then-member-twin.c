//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
static struct { int x, y; } s[3] = { [0 ... 2].y = 4, [1].x = 1 };

int main(void)
{
    assert(s[0].y == 4 && s[1].x == 1 && s[2].y == 4);
    return 0;
}
