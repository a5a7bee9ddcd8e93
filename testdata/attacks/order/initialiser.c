//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int x = next() * 3 - next();
    assert(x == 1);
    return 0;
}
