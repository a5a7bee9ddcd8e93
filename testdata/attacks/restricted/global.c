//@ class: restricted
//@ args: prove
//@ never: proved
#include <assert.h>
int x;
static void set(void) { x = 2; }
static int both(int *restrict p) {
    *p = 1;
    set();
    return *p;
}
int main(void) {
    int seen = both(&x);
    assert(seen == 2);
    return 0;
}
