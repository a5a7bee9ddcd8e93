//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

static int bump(int *p) { return ++*p; }
int main(void) {
    int v = 0, w = 5;
    int x = bump(&v) + bump(&w);
    assert(x == 7);
    return 0;
}
