//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
struct P { int x, y; };
int main(void) {
    struct P p = { next(), next() };
    assert(p.x < p.y);
    return 0;
}
