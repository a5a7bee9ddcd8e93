//@ class: horn
//@ args: prove
//@ never: proved assert
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) x += x < 100 ? 2 : 0;
    if (x % 2 == 1) assert(x == 1000);
    return 0;
}
