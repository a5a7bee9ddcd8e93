/* The loop of preorder.c alone, with the stack as its input. */
typedef struct tree *tree;
typedef struct stack *stack;

int is_null(tree t);
tree left(tree t);
tree right(tree t);
stack push(tree t, stack s);
stack pop(stack s);
tree top(stack s);
int is_empty(stack s);
void visit(tree t);

void traverse(stack s)
{
    while (!is_empty(s)) {
        tree x, y;
        y = top(s);
        s = pop(s);
        visit(y);
        x = left(y);
        if (!is_null(x))
            s = push(x, s);
        x = right(y);
        if (!is_null(x))
            s = push(x, s);
    }
}
