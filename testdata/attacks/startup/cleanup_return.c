//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void set(int *p) { g = *p; }
static int f(void) {
    int x __attribute__((cleanup(set))) = 4;
    return g;
}
int main(void) {
    int r = f();
    assert(r == 4 || g == 0);
    return 0;
}
