//@ class: contracts
//@ args: contract
//@ never: proved given
// A record's number is written as characters.
struct cell { int number; };
/*@ requires c != \null; ensures c->number == \old(c->number); */
void scribble(struct cell *c) { char *p = (char *)c; p[0] ^= 1; }
