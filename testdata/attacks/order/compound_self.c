//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int x = 5;
    x += x++;
    assert(x == 10 || x == 11);
    return 0;
}
