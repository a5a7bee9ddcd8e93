//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
int main(void) {
    _Complex double z = 2;
    int i;
    for (i = 0; i < 2; i++) {
        z = z * z;
        assert(i == 0);
    }
    return 0;
}
