//@ class: library
//@ args: prove
//@ twin: proved assert
// `errx` ends the program, so that nothing comes behind it.
#include <assert.h>
#include <err.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        errx(1, "%d is below zero", n);
    assert(n >= 0);
    return 0;
}
