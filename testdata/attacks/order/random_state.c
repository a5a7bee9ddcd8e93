//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

#include <stdlib.h>
static int r(void) { return rand(); }
int main(void) {
    srand(1);
    int a = r() - r();
    srand(1);
    int b = r();
    int c = r();
    assert(a == b - c);
    return 0;
}
