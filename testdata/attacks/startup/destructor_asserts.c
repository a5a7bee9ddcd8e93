//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
__attribute__((destructor)) static void bye(void) { assert(g == 0); }
int main(void) {
    g = 1;
    return 0;
}
