//@ class: closed
//@ args: prove
//@ twin: proved assert
#include <assert.h>

struct stack { int *data; int len; };
static void push(struct stack *s, int v) { s->data[s->len++] = v; }
int main(void) {
    int room[4] = { 0 };
    struct stack s = { room, 0 };
    push(&s, 5);
    push(&s, 7);
    assert(s.len == 2 && room[0] == 5 && room[1] == 7);
    return 0;
}
