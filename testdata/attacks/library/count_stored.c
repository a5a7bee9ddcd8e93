//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int stored = 0;
    printf("abc%n", &stored);
    if (__VERIFIER_nondet_int())
        assert(stored == 0);
    return 0;
}
