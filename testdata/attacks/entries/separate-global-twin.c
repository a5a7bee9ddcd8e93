//@ class: entries
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
static int g;
void f(int *p) {
    g = 1;
    *p = 2;
    assert(g == 1);
}
