//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
int main(void) {
    void *p = &&there;
    goto *p;
there:
    assert(0);
    return 0;
}
