//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

static int tick(void) { static int n; return ++n; }
static int sub(int a, int b) { return a - b; }
int main(void) {
    assert(sub(tick(), tick()) == -1);
    return 0;
}
