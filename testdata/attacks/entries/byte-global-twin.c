//@ class: entries
//@ args: prove --entry f
//@ twin: proved
#include <assert.h>
unsigned char g;
void f(void) { assert(g <= 255); }
