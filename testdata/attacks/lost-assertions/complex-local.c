//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
int main(void) {
    _Complex double z = 1;
    double d = 3;
    assert(d == 4);
    return __real__ z == 0;
}
