//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
int main(void) {
    _Complex double z = ({ assert(0); 1.0; });
    return __real__ z == 0;
}
