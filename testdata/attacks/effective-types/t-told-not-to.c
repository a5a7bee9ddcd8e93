//@ class: effective-types
//@ args: prove -- -fno-strict-aliasing
//@ twin: proved
#include <assert.h>
long both(long *p, long long *q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    long x = 0;
    long seen = both(&x, (long long *)&x);
    assert(seen == 2);
    return 0;
}
