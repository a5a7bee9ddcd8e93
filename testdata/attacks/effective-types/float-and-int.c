//@ class: effective-types
//@ args: prove -- -O2
//@ never: proved
#include <assert.h>
int both(int *p, float *q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    float x = 0;
    int seen = both((int *)&x, &x);
    assert(seen == 0x40000000);
    return 0;
}
