//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
// The second member of one is where the other points: a meeting that is not tried.
struct pair { int first, second; };
void f(struct pair *p, int *q) {
    p->second = 1;
    *q = 2;
    assert(p->second == 1);
}
