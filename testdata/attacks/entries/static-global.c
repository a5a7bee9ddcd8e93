//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
static int mode;
void set(void) { mode = 1; }
void f(void) { assert(mode == 0); }
