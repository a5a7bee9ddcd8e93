//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

#include <stdlib.h>
int g;
static void bye(void) { assert(g == 0); }
int main(void) {
    atexit(bye);
    g = 1;
    return 0;
}
