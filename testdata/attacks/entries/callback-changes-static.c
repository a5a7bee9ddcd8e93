//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
static int g;
void set(void) { g = 2; }
int f(void (*callback)(void)) {
    g = 1;
    callback();
    assert(g == 1);
    return 0;
}
