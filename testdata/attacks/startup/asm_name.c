//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int three(void) { return 3; }
int four(void) __asm__("three");
int main(void) {
    assert(four() == 4);
    return 0;
}
