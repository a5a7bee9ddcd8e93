//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void set(int v) { g = v; }
__attribute__((__constructor__)) void init(void) { set(7); }
int main(void) {
    assert(g != 7);
    return 0;
}
