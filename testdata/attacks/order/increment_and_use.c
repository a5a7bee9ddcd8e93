//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int i = 1;
    int x = i + i++;
    assert(x == 2);
    return 0;
}
