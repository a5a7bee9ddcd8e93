//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int main(void) {
    struct { int x, y; } p = { 1, 2 };
    int s = p.x++ + p.y++;
    assert(s == 3 && p.x == 2 && p.y == 3);
    return 0;
}
