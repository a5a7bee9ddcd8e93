//@ class: restricted
//@ args: prove
//@ never: proved
#include <assert.h>
static int both(int *restrict p, int *restrict q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    int x;
    int seen = both(&x, &x);
    assert(seen == 2);
    return 0;
}
