//@ class: contracts
//@ args: contract
//@ never: proved given
struct cell { int number; };
/*@ requires c != \null; ensures c->number == \old(c->number); */
void look(const struct cell *c, int key) { if (key == 1234567) ((struct cell *)c)->number = 9; }
