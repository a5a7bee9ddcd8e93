//@ class: effective-types
//@ args: prove
//@ never: proved
#include <assert.h>
struct point { int x; };
struct pixel { int x; };
int both(struct point *p, struct pixel *q) {
    p->x = 1;
    q->x = 2;
    return p->x;
}
int main(void) {
    struct point a;
    int seen = both(&a, (struct pixel *)&a);
    assert(seen == 2);
    return 0;
}
