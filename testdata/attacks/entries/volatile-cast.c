//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void f(int *p) {
    int a = *(volatile int *)p, b = *(volatile int *)p;
    assert(a == b);
}
