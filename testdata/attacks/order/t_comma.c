//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int x = (next(), next());
    assert(x == 2);
    return 0;
}
