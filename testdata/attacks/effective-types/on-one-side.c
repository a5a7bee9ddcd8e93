//@ class: effective-types
//@ args: prove
//@ never: proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
long both(long *p, long long *q, int c) {
    *p = 1;
    if (c) *q = 2;
    return *p;
}
int main(void) {
    long x = 0;
    int c = __VERIFIER_nondet_int();
    long seen = both(&x, (long long *)&x, c);
    assert(!c || seen == 2);
    return 0;
}
