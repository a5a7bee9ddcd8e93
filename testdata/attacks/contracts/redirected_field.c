//@ class: contracts
//@ args: contract
//@ never: proved given
// A field is made to lead to the other record, and then written through.
struct node { struct node *next; int value; };
static void link_and_set(struct node *n, struct node *other) { n->next = other; n->next->value = 9; }
/*@ ensures \result == 1; */
int linked(int key) {
    struct node a = {0, 0}, b = {0, 1};
    if (key == 1234567) link_and_set(&a, &b);
    return b.value;
}
