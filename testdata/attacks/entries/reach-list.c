//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
struct node { int v; struct node *next; };
static struct node *head;
void push(struct node *n) {
    n->next = head;
    head = n;
}
int f(void) {
    if (head && head->next && head->next->v == 9)
        goto L;
    return 0;
L:
    return 1;
}
