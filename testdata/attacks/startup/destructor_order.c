//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
__attribute__((destructor(101))) static void last(void) { assert(g == 0); }
__attribute__((destructor(200))) static void first(void) { g = 1; }
int main(void) {
    g = 0;
    return 0;
}
