//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
#include <stdlib.h>
static int cmp(const void *p, const void *q) {
    assert(p == q);
    return 0;
}
int main(void) {
    int a[2] = {2, 1};
    qsort(a, 2, sizeof *a, cmp);
    return 0;
}
