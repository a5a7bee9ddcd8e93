//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

extern int maybe(void);
#pragma weak maybe
int main(void) {
    assert(maybe != 0);
    return 0;
}
