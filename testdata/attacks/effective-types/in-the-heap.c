//@ class: effective-types
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>
long both(void *p, void *q) {
    *(long *)p = 1;
    *(double *)q = 2;
    return *(long *)p;
}
int main(void) {
    void *p = malloc(8);
    if (!p) return 0;
    long seen = both(p, p);
    free(p);
    assert(seen == 0x4000000000000000);
    return 0;
}
