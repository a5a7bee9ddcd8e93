//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void f(volatile int *p) {
    int a = *p, b = *p;
    assert(a == b);
}
