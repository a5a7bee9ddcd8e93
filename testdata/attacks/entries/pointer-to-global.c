//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int g;
void f(int *p) {
    g = 1;
    *p = 2;
    assert(g == 1);
}
