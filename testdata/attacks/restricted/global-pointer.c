//@ class: restricted
//@ args: prove
//@ never: proved
#include <assert.h>
int *kept;
static int both(int *restrict p) {
    *p = 1;
    *kept = 2;
    return *p;
}
int main(void) {
    int x;
    kept = &x;
    int seen = both(&x);
    assert(seen == 2);
    return 0;
}
