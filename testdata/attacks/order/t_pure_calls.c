//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

static int square(int x) { return x * x; }
int main(void) {
    int x = square(3) + square(4);
    assert(x == 25);
    return 0;
}
