//@ class: contracts
//@ args: contract
//@ never: proved given
// One of the functions of a table changes the record.
struct box { int value; };
static void keep(struct box *b) { (void)b; }
static void zero(struct box *b) { b->value = 0; }
static void (*const table[2])(struct box *) = {keep, zero};
/*@ requires b != \null && b->value == 5; ensures b->value == 5; */
void visit(struct box *b, int key) { table[key == 1234567](b); }
