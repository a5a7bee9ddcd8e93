//@ class: library
//@ args: prove --time 3
//@ never: proved
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double d = __VERIFIER_nondet_double();
    if (d >= 0 && d < 1e6)
        assert(round(d) == floor(d + 0.5));
    return 0;
}
