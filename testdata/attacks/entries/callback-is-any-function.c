//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
static int next(int x) { return x + 1; }
static int use(void) {
    int (*p)(int) = next;
    return p(1);
}
int f(int (*callback)(int)) {
    use();
    int r = callback(1);
    assert(r == 2);
    return r;
}
