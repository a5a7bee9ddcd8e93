//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
struct P { int x, y; };
int main(void) {
    struct P p = { .y = next(), .x = next() };
    assert(p.y == 1);
    return 0;
}
