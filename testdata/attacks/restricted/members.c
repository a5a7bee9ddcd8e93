//@ class: restricted
//@ args: prove
//@ never: proved
#include <assert.h>
struct pair { int *restrict a, *restrict b; };
static int both(struct pair v) {
    *v.a = 1;
    *v.b = 2;
    return *v.a;
}
int main(void) {
    int x;
    struct pair v = {&x, &x};
    int seen = both(v);
    assert(seen == 2);
    return 0;
}
