//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int first(void) { g = 1; return 1; }
static int second(void) { assert(g == 1); return 2; }
int main(void) {
    int x = first() + second();
    assert(x == 3);
    return 0;
}
