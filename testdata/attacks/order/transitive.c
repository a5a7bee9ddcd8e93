//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
static int deeper(void) { return next(); }
static int deep(void) { return deeper(); }
static int sub(int a, int b) { return a - b; }
int main(void) {
    assert(sub(deep(), deep()) == -1);
    return 0;
}
