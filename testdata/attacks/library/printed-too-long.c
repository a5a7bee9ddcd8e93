//@ class: library
//@ args: prove --overflow
//@ never: proved bounds
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[8] = "";
    int length = snprintf(text, sizeof text, "%d", __VERIFIER_nondet_int());
    assert(text[length] == 0);
    return 0;
}
