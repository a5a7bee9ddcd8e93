//@ class: entries
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
int g;
void f(void) {
    int x = g;
    g = 3;
    assert(g == 3 && (x == 0 || x != 0));
}
