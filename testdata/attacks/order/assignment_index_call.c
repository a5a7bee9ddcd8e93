//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int a[4] = { 0, 0, 0, 0 };
    a[next()] = next();
    assert(a[1] == 2);
    return 0;
}
