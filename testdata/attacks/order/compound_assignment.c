//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int x = 5;
static int set(void) { x = 10; return 1; }
int main(void) {
    x += set();
    assert(x == 11);
    return 0;
}
