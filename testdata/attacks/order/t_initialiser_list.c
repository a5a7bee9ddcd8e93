//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int main(void) {
    int i = 1, j = 2;
    int a[2] = { i++, j++ };
    assert(a[0] == 1 && a[1] == 2);
    return 0;
}
