//@ class: contracts
//@ args: contract
//@ never: proved given
// A promise not to write that is not kept.
struct cell { int number; };
static void look(const struct cell *c, int key) { if (key == 1234567) ((struct cell *)c)->number = 9; }
/*@ ensures \result == 1; */
int looked(int key) { struct cell c = {1}; look(&c, key); return c.number; }
