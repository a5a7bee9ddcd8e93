//@ class: entries
//@ args: prove --entry f
//@ never: refuted
#include <assert.h>
void f(const unsigned char *a, unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n && i < 4; i++) sum += a[i];
    assert(sum <= 4 * 255);
}
