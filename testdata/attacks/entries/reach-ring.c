//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
struct node { int v; struct node *next; };
int f(struct node *n) {
    n->v = 1;
    n->next->v = 2;
    if (n->v == 2)
        goto L;
    return 0;
L:
    return 1;
}
