//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int a[3] = { 1, 2, 3 };
    int *p = a + 2;
    int x = *p-- - *p--;
    assert(x == 1);
    return 0;
}
