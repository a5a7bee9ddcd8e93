//@ class: closed
//@ args: prove
//@ twin: proved assert
#include <assert.h>

struct node { struct node *left, *right; int value, seen; };
static int sum(struct node *n) {
    if (!n) return 0;
    n->seen = 1;
    return n->value + sum(n->left) + sum(n->right);
}
int main(void) {
    struct node a = { 0, 0, 1, 0 }, b = { 0, 0, 2, 0 }, c = { &a, &b, 3, 0 };
    assert(sum(&c) == 6);
    assert(a.seen && b.seen && c.seen);
    return 0;
}
