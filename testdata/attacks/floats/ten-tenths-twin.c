//@ class: floats
//@ args: prove
//@ twin: proved
#include <assert.h>
int main(void) {
    double s = 0;
    s += 0.1; s += 0.1; s += 0.1; s += 0.1; s += 0.1;
    s += 0.1; s += 0.1; s += 0.1; s += 0.1; s += 0.1;
    assert(s < 1.0);
    return 0;
}
