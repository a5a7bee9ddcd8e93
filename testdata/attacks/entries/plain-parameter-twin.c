//@ class: entries
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
void f(int *p) {
    int a = *p, b = *p;
    assert(a == b);
}
