//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int i = 0, j;
    j = (i = 2) + (i = 3);
    assert(j == 5);
    return 0;
}
