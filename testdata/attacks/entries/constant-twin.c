//@ class: entries
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
const int limit = 10;
void f(int x) {
    if (x < limit)
        assert(x < 10);
}
