//@ class: contracts
//@ args: contract
//@ never: proved given
// What is released and made anew is another object.
#include <stdlib.h>
struct box { int *cell; };
/*@ requires b != \null; ensures b->cell == \old(b->cell); */
int renew(struct box *b) { int *cell = malloc(sizeof *cell); if (!cell) return -1; *cell = 0; b->cell = cell; return 0; }
