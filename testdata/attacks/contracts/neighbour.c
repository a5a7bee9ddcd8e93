//@ class: contracts
//@ args: contract
//@ never: proved given
// The object next to the one that the pointer leads to.
struct cell { int number; };
/*@ requires c != \null; ensures \result == 0; */
int next(struct cell *c) { if (c->number != 0) return c[1].number; return 0; }
