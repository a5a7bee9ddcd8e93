//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int i = 0;
    int x = i++ + i++;
    assert(x == 1);
    return 0;
}
