//@ class: order
//@ args: prove
//@ never: proved
// The elements of a list are evaluated in any order (6.7.9p23).
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int a[2] = { next(), next() };
    assert(a[0] == 1 && a[1] == 2);
    return 0;
}
