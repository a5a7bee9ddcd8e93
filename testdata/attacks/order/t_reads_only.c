//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int g = 4;
static int get(void) { return g; }
int main(void) {
    int x = get() * get() + g;
    assert(x == 20);
    return 0;
}
