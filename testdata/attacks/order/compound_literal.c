//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
struct P { int x, y; };
static int diff(struct P p) { return p.x - p.y; }
int main(void) {
    assert(diff((struct P){ next(), next() }) == -1);
    return 0;
}
