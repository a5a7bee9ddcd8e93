//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
double g = 1.5;
void f(void) { assert(g == 1.5); }
