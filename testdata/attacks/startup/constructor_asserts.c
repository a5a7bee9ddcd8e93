//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
__attribute__((constructor)) static void init(void) { assert(g == 1); }
int main(void) {
    g = 1;
    assert(g == 1);
    return 0;
}
