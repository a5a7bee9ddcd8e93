//@ class: horn
//@ args: prove
//@ never: proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void add(int n) {
    for (int i = 0; i < n; i++) g++;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 50) return 0;
    add(n);
    add(n);
    assert(g <= 99);
    return 0;
}
