//@ class: contracts
//@ args: contract
//@ never: proved given
// Two nodes that may be one: the second write goes through a pointer in the record.
struct node { struct node *next; int value; };
/*@ requires n != \null; ensures \result == 1; */
int mark(struct node *n, int key) {
    n->value = 1;
    if (key == 1234567 && n->next) n->next->value = 2;
    return n->value;
}
