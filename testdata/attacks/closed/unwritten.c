//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int x;
    if (x > 10) x = 10;
    assert(x != 7);
    return 0;
}
