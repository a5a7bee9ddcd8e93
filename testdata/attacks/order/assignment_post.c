//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int i = 3;
    i = i++;
    assert(i == 4 || i == 3);
    return 0;
}
