//@ class: order
//@ args: prove
//@ never: proved
// Whether the claim is made depends on which call comes first.
#include <assert.h>

#include <stdlib.h>
static int leave(void) { exit(0); return 1; }
static int claim(void) { assert(0); return 1; }
int main(void) {
    int x = leave() + claim();
    assert(x == 3);
    return 0;
}
