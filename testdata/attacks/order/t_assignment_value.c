//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int main(void) {
    int a, b;
    a = b = 3;
    assert(a == 3 && b == 3);
    return 0;
}
