//@ class: contracts
//@ args: contract
//@ twin: proved given
#include <stdlib.h>
struct cell { int number; };
/*@ ensures \result == 0; */
int drop(struct cell *c, int n) { if (n == 1234567) free(c); return 0; }
