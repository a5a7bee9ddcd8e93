//@ class: contracts
//@ args: contract
//@ never: proved given
// The same behind a call, through a pointer to nothing in particular.
#include <stdlib.h>
struct cell { int number; };
static void let_go(void *p) { free(p); }
/*@ requires c != \null; ensures \result == 0 || c->number == 5; */
int drop(struct cell *c, int n) {
    c->number = 5;
    if (n == 1234567) { let_go(c); return n; }
    c->number = n == 7654321 ? 6 : 5;
    return 1;
}
