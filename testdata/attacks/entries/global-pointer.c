//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int a, b;
int *p = &a;
void turn(void) { p = &b; }
void f(void) {
    b = 1;
    *p = 2;
    assert(b == 1);
}
