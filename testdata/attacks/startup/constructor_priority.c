//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
__attribute__((constructor(200))) static void b(void) { g = g * 10 + 2; }
__attribute__((constructor(101))) static void a(void) { g = g * 10 + 1; }
int main(void) {
    assert(g == 21);
    return 0;
}
