//@ class: horn
//@ args: prove
//@ never: proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), i = 0;
    if (x < 0 || x > 100 || y < 0 || y > 100) return 0;
    int p = x * y;
    while (i < x) i++;
    assert(p != 899 || i != 29);
    return 0;
}
