//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int main(void) {
    int v = 1;
    int *p = &v, *q = &v;
    int x = (*p)++ + (*q)++;
    assert(x == 3);
    return 0;
}
