//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
struct s { int x, y; } s = { 1, 2 };
void f(void) { assert(s.x < s.y); }
