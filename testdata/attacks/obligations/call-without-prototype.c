//@ class: obligations
//@ args: prove
//@ never: proved
/* The call passes an int, and the function looks for a double elsewhere. */
#include <assert.h>
double half();
int main(void) {
    assert(half(3) == 1.5);
    return 0;
}
double half(double x) { return x / 2; }
