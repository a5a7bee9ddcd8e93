//@ class: entries
//@ args: prove --entry f
//@ twin: proved assert
#include <assert.h>
static int next(int x) { return x + 1; }
static int (*const table[])(int) = { next };
int f(int n) {
    int r = 0;
    for (int k = 0; k < n; k++) {
        r = table[0](k & 7);
        assert(r <= 8);
    }
    return r;
}
