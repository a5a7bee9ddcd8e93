//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    while (__VERIFIER_nondet_int()) {
        signed char stored = 0;
        printf("abc%hhn", &stored);
        assert(stored == 0);
    }
    return 0;
}
