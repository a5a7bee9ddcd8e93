//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

static int bump(int *p) { return ++*p; }
int main(void) {
    int v = 0;
    int x = bump(&v) * 10 + bump(&v);
    assert(x == 12);
    return 0;
}
