//@ class: contracts
//@ args: contract
//@ twin: proved given
struct node { struct node *next; int value; };
/*@ requires n != \null; ensures n->value == 1; */
void mark(struct node *n) { n->next = 0; n->value = 1; }
