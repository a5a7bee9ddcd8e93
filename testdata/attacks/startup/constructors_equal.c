//@ class: startup
//@ args: prove
//@ never: proved
// Nothing orders constructors of one priority.
#include <assert.h>

int g;
__attribute__((constructor)) static void a(void) { g = g * 10 + 1; }
__attribute__((constructor)) static void b(void) { g = g * 10 + 2; }
int main(void) {
    assert(g == 12);
    return 0;
}
