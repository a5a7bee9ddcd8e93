//@ class: entries
//@ args: prove --entry f
//@ never: proved
//@ twin: refuted
#include <assert.h>
#include <stddef.h>
struct node { int value; struct node *next; };
void f(const struct node *n, const char *name) {
    if (n == NULL || n->next == NULL) return;
    assert(n->value + n->next->value != 42 || name[0] != 'x');
}
