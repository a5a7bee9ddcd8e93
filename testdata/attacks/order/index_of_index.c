//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int a[3][3] = { { 0 } };
    a[1][2] = 7;
    assert(a[next()][next()] == 7);
    return 0;
}
