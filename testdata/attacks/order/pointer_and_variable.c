//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

static int bump(int *p) { return ++*p; }
int main(void) {
    int v = 0;
    int x = v * 10 + bump(&v);
    assert(x == 1);
    return 0;
}
