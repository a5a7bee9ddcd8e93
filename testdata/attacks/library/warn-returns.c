//@ class: library
//@ args: prove
//@ never: proved
//@ never: exit 0
// `warnx` comes back.
#include <assert.h>
#include <err.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        warnx("%d is below zero", n);
    assert(n >= 0);
    return 0;
}
