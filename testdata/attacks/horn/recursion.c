//@ class: horn
//@ args: prove
//@ never: proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int down(int n) { return n <= 0 ? 0 : n == 37 ? -1 : down(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    assert(down(n) == 0);
    return 0;
}
