//@ class: horn
//@ args: prove
//@ never: proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, y = 50000, end = __VERIFIER_nondet_int();
    if (end < 0 || end > 100000) return 0;
    while (x < end) {
        if (x >= 50000) y++;
        x++;
    }
    assert(y != 99999 || x != 99999);
    return 0;
}
