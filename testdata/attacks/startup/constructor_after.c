//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void init(void) __attribute__((constructor));
static void init(void) { g = 1; }
int main(void) {
    assert(g == 0);
    return 0;
}
