//@ class: conventions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 77) abort();
    return 0;
}
