//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
#include <complex.h>
int main(void) {
    double complex z = 1;
    assert(creal(z) == 2);
    return 0;
}
