//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
static _Complex double g;
int main(void) {
    int x = 3;
    assert(__real__ g == 2);
    assert(x == 3);
    return 0;
}
