//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

/* The array is the length itself: two unsequenced changes of one object. */
struct stack { int *data; int len; };
static void push(struct stack *s, int v) { s->data[s->len++] = v; }
int main(void) {
    struct stack s = { 0, 0 };
    s.data = &s.len;
    push(&s, 5);
    assert(s.len == 5);
    return 0;
}
