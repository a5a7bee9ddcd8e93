//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
struct counter { int value; };
int main(void) {
    struct counter c;
    while (__VERIFIER_nondet_int()) {
        c.value = 0;
        fprintf(stdout, "abc%n", (struct counter *)&c);
        assert(c.value == 0);
    }
    return 0;
}
