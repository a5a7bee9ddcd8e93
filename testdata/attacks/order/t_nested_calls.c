//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
static int twice(int x) { return 2 * x; }
int main(void) {
    assert(twice(twice(next())) == 4);
    return 0;
}
