//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

static int one(void) { return 1; }
int two(void) __attribute__((alias("one")));
int main(void) {
    assert(two() == 2);
    return 0;
}
