//@ class: contracts
//@ args: contract
//@ never: proved given
// What the harness would read is gone on one way, and with it what that way returns.
#include <stdlib.h>
struct cell { int number; };
/*@ ensures \result == 0; */
int drop(struct cell *c, int n) { if (n == 1234567) { free(c); return n; } return 0; }
