//@ class: entries
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
int (*other(void))(int);
static int next(int x) { return x + 1; }
int main(void) {
    int (*mine)(int) = next;
    while (__VERIFIER_nondet_int()) {
        int r = other()(1);
        assert(r == 2);
        mine(1);
    }
    return 0;
}
