//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

#include <stdlib.h>
int g;
static void a(void) { g = 1; }
static void b(void) { assert(g == 1); }
int main(void) {
    atexit(a);
    atexit(b);
    return 0;
}
