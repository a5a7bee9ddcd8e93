//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int x = 5;
    x += next();
    assert(x == 6);
    return 0;
}
