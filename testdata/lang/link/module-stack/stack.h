#ifndef STACK_H
#define STACK_H
#include <stdbool.h>
typedef struct stack stack;
stack *stack_new(int cap);
void stack_push(stack *s, int v);
bool stack_pop(stack *s, int *v);
int stack_growths(void);
void stack_free(stack *s);
#endif
