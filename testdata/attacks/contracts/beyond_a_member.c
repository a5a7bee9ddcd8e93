//@ class: contracts
//@ args: contract
//@ never: proved given
// The call that fills starts at one member and goes on to the next.
#include <string.h>
struct pair { int a, b; };
static void clear(struct pair *p) { memset(p, 0, sizeof *p); }
/*@ ensures \result == 1; */
int cleared(int key) { struct pair p = {1, 1}; if (key == 1234567) clear(&p); return p.b; }
