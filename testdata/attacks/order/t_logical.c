//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int x = next() == 1 && next() == 2;
    assert(x == 1);
    return 0;
}
