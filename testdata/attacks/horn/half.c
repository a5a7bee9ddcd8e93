//@ class: horn
//@ args: prove
//@ twin: proved assert
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000) return 0;
    int x = 0, y = n;
    while (x < 2 * n) {
        if (x >= n) y++;
        x++;
    }
    assert(y == x);
    return 0;
}
