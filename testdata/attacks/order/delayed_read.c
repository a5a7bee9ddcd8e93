//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g = 1;
static int set(void) { g = 5; return 0; }
static int id(int x, int y) { return x + y; }
int main(void) {
    int x = id(g, set());
    assert(x == 1);
    return 0;
}
