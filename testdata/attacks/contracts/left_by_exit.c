//@ class: contracts
//@ args: contract
//@ twin: proved given
#include <stdlib.h>
static int check(int n) { if (n < 0) exit(1); return n; }
/*@ ensures \result >= 0; */
int checked(int n) { return check(n); }
