//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[16];
    sprintf(text, "%x", (unsigned)__VERIFIER_nondet_int());
    assert(strcmp(text, "deadbeef") != 0);
    return 0;
}
