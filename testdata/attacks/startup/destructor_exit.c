//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

#include <stdlib.h>
int g;
__attribute__((destructor)) static void bye(void) { assert(g == 0); }
static void leave(void) { g = 1; exit(0); }
int main(void) {
    leave();
    return 0;
}
