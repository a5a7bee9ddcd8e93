//@ class: contracts
//@ args: contract
//@ never: proved given
// What is called may do anything to the object.
struct box { int value; };
/*@ requires b != \null; ensures b->value == \old(b->value); */
void visit(struct box *b, void (*with)(struct box *)) { with(b); }
void zero(struct box *b) { b->value = 0; }
