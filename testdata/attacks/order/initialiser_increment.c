//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int i = 0;
    int a[2] = { i++, i++ };
    assert(a[0] == 0 && a[1] == 1);
    return 0;
}
