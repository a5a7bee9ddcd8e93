//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
int main(void) {
    _Complex double z = 2;
    if (__real__ z == ({ assert(0); 2.0; }))
        return 1;
    return 0;
}
