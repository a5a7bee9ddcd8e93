//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

/* Both children are one node: which call comes first decides what the sum is. */
struct node { struct node *left, *right; int value; };
static int take(struct node *n, int factor) {
    if (!n) return 0;
    return factor * n->value++ + take(n->left, 10) + take(n->right, 100);
}
int main(void) {
    struct node a = { 0, 0, 1 }, c = { &a, &a, 0 };
    assert(take(&c, 1) == 210);
    return 0;
}
