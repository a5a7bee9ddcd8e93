//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int x = (1 && next()) + 10 * g;
    assert(x == 11);
    return 0;
}
