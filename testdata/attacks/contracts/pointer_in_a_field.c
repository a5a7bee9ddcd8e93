//@ class: contracts
//@ args: contract
//@ never: proved given
// The field leads back to the record itself.
struct node { struct node *next; int value; };
static struct node one;
struct node *shared(void) { one.next = &one; return &one; }
/*@ requires n != \null; ensures n->next == \null || n->value == 1; */
void mark(struct node *n) { n->value = 1; if (n->next) n->next->value = 2; }
