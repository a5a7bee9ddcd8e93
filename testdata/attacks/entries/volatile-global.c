//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
volatile int v;
void f(void) {
    int a = v, b = v;
    assert(a == b);
}
