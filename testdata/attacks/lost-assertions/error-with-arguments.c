//@ class: lost-assertions
//@ args: prove
//@ never: exit 0
#include <assert.h>
extern void __VERIFIER_error(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x * 2 != 7);
    if (x == 3) __VERIFIER_error(3);
    return 0;
}
