//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
static int f(int a, int b, int c) { return 100 * a + 10 * b + c; }
int main(void) {
    assert(f(next(), next(), next()) == 123);
    return 0;
}
