//@ class: contracts
//@ args: contract
//@ never: proved given
// From the member to the record around it.
#include <stddef.h>
struct inner { int x; };
struct outer { int y; struct inner in; };
static void around(struct inner *i) { struct outer *o = (struct outer *)((char *)i - offsetof(struct outer, in)); o->y = 9; }
/*@ ensures \result == 1; */
int contained(int key) { struct outer o = {1, {2}}; if (key == 1234567) around(&o.in); return o.y; }
