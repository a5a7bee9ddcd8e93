//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
struct device {
    volatile unsigned status;
};
void f(struct device *d) {
    unsigned first = d->status;
    assert(d->status == first);
}
