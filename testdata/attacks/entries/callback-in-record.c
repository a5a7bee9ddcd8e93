//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
struct operations { int (*next)(int); };
static int next(int x) { return x + 1; }
struct operations known = { next };
int f(struct operations *given) {
    int r = given->next(1);
    assert(r == 2);
    return r;
}
