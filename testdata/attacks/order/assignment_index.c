//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int a[4] = { 0, 0, 0, 0 };
    a[g] = next();
    assert(a[0] == 1);
    return 0;
}
