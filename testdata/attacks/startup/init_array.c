//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void init(void) { g = 1; }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = init;
int main(void) {
    assert(g == 0);
    return 0;
}
