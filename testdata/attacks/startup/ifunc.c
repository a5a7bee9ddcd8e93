//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

static int one(void) { return 1; }
static int (*resolve(void))(void) { return one; }
int chosen(void) __attribute__((ifunc("resolve")));
int main(void) {
    assert(chosen() == 2);
    return 0;
}
