// The implementation of the stack.
#include "stack.h"
#include <stdlib.h>

struct stack {
    int *data;
    int len, cap;
};
static int growths;

static void grow(stack *s) {
    s->cap *= 2;
    s->data = realloc(s->data, (size_t)s->cap * sizeof *s->data);
    growths++;
}
stack *stack_new(int cap) {
    stack *s = malloc(sizeof *s);
    *s = (stack){malloc((size_t)cap * sizeof *s->data), 0, cap};
    return s;
}
void stack_push(stack *s, int v) {
    if (s->len == s->cap)
        grow(s);
    s->data[s->len++] = v;
}
bool stack_pop(stack *s, int *v) {
    if (!s->len)
        return false;
    *v = s->data[--s->len];
    return true;
}
int stack_growths(void) { return growths; }
void stack_free(stack *s) {
    free(s->data);
    free(s);
}
