//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int h;
static int other(void) { return ++h; }
static int sub(int a, int b) { return a - b; }
int main(void) {
    assert(sub(next(), other()) == 0);
    return 0;
}
