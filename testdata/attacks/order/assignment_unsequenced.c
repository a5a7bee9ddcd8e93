//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int a[4] = { 0, 0, 0, 0 }, i = 0;
    a[i] = i++;
    assert(a[0] == 0 && a[1] == 0);
    return 0;
}
