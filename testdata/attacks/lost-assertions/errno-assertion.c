//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#define _GNU_SOURCE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert_perror(x == 5);
    return 0;
}
