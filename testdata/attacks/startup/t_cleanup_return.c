//@ class: startup
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
static void set(int *p) { g = *p; }
static int f(void) {
    int x __attribute__((cleanup(set))) = 4;
    return g + x - 4;
}
int main(void) {
    int r = f();
    assert(r == 0 && g == 4);
    return 0;
}
