//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int i = 3;
    i = i++ + 1;
    assert(i == 4);
    return 0;
}
