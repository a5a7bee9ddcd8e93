//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*h)(void);
static int pick(int x) { return x; }
static int swap(void) { h = two; return 0; }
static int call(int (*f)(void), int x) { return f() + x; }
int main(void) {
    h = one;
    assert(call(h, swap()) == 1);
    return 0;
}
