//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>

int g;
static int leaves(void) { exit(0); return 0; }
static int checks(void) { assert(g == 1); return 0; }
int main(void) {
    return leaves() + checks();
}
