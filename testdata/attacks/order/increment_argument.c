//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

static int sub(int a, int b) { return a - b; }
int main(void) {
    int i = 1;
    assert(sub(i, i++) == 0);
    return 0;
}
