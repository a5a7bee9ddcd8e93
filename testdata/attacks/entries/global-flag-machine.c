//@ class: entries
//@ args: prove --entry f --ints machine
//@ never: proved
#include <assert.h>
unsigned char flag;
void f(void) { assert(flag < 2); }
