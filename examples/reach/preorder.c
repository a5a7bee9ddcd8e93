/* A preorder traversal of a tree with a stack of its own, as in Antoy and Hamlet, "Testing by Narrowing".
   What trees and stacks are, and what the operations do, stands in tree.rules. */
typedef struct tree *tree;
typedef struct stack *stack;

int is_null(tree t);
tree left(tree t);
tree right(tree t);
stack empty(void);
stack push(tree t, stack s);
stack pop(stack s);
tree top(stack s);
int is_empty(stack s);
void visit(tree t);

void preorder(tree t)
{
    if (!is_null(t)) {
        stack s = empty();
        s = push(t, s);
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
}
