//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
struct P { int x, y; } p;
static struct P make(int v) { p.x = v; return p; }
int main(void) {
    int x = make(1).x * 10 + p.x;
    assert(x == 11);
    return 0;
}
