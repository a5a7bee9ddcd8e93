//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int main(void) {
    int a[2] = { 1, 2 };
    int s = a[0]++ + a[1]++;
    assert(s == 3 && a[0] == 2);
    return 0;
}
