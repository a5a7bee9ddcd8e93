//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(getenv("PLUMB_NOBODY_SETS_THIS") == 0);
    return 0;
}
