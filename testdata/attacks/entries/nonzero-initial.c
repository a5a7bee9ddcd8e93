//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int limit = 10;
void set(int n) { limit = n; }
void f(int x) {
    if (x < limit)
        assert(x < 10);
}
