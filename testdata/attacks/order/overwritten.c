//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int one(void) { g = 1; return 0; }
static int two(void) { g = 2; return 0; }
int main(void) {
    int x = one() + two();
    assert(x == 0 && g == 2);
    return 0;
}
