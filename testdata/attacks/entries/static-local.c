//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int f(void) {
    static int n;
    n++;
    assert(n == 1);
    return n;
}
