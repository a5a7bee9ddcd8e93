//@ class: startup
//@ args: prove
//@ twin: proved
#include <assert.h>

int g;
__attribute__((constructor)) static void init(void) { g = 1; }
int main(void) {
    assert(g == 1);
    return 0;
}
