//@ class: entries
//@ args: prove --entry f
//@ never: proved
//@ twin: refuted
#include <assert.h>
void f(int *a, int *b) {
    *a = 1;
    *b = 2;
    assert(*a == 1);
}
