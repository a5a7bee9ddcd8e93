//@ class: restricted
//@ args: prove
//@ never: proved
#include <assert.h>
static int both(int p[restrict 2], int q[restrict 2]) {
    p[1] = 1;
    q[1] = 2;
    return p[1];
}
int main(void) {
    int x[2] = {0, 0};
    int seen = both(x, x);
    assert(seen == 2);
    return 0;
}
