//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    unsigned n = 4294967295u;
    assert((float)n == 4294967295.0);
    return 0;
}
