//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void f(int *p, int *q) {
    *p = 1;
    *q = 2;
    assert(*p == 1);
}
