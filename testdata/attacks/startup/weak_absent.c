//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

extern int maybe(void) __attribute__((weak));
int main(void) {
    assert(maybe != 0);
    return 0;
}
