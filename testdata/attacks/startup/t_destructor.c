//@ class: startup
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
__attribute__((destructor)) static void bye(void) { assert(g == 1); }
int main(void) {
    g = 1;
    return 0;
}
