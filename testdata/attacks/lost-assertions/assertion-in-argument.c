//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
#include <complex.h>
int main(void) {
    return cabs(({ assert(1 > 2); 1.0; }) + 0.0i) == 3;
}
