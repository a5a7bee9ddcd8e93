//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    long double a = 0.1L;
    assert(a == 0.1);
    return 0;
}
