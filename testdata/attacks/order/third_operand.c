//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int a(void) { return g; }
static int b(void) { return 0; }
static int c(void) { g = 1; return 0; }
int main(void) {
    int x = a() + b() + c();
    assert(x == 0);
    return 0;
}
