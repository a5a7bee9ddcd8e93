//@ class: order
//@ args: prove
//@ twin: proved
// The side effects of an argument are complete before the call.
#include <assert.h>

static int twice(int x) { return 2 * x; }
int main(void) {
    int i = 2;
    i = twice(i++);
    assert(i == 4);
    return 0;
}
