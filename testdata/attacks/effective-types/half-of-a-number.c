//@ class: effective-types
//@ args: prove
//@ never: proved
#include <assert.h>
int both(short *p, int *q) {
    *q = 0x10001;
    *p = 2;
    return *q;
}
int main(void) {
    int x;
    int seen = both((short *)&x, &x);
    assert(seen == 0x10002);
    return 0;
}
