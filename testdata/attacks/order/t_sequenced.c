//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
static int sub(int a, int b) { return a - b; }
int main(void) {
    int a = next();
    int b = next();
    assert(sub(a, b) == -1);
    return 0;
}
