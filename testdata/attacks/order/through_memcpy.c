//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>
#include <string.h>

int v = 1;
static int copies(void) { int seven = 7; memcpy(&v, &seven, sizeof v); return 0; }
static int reads(void) { return v; }
int main(void) {
    int x = reads() + copies();
    assert(x == 1);
    return 0;
}
