//@ class: horn
//@ args: prove
//@ never: proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[8] = {0}, n = __VERIFIER_nondet_int(), i = 0;
    while (i < 8 && i < n) {
        a[i] = i;
        i++;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 8) return 0;
    assert(a[k] < 7);
    return 0;
}
