// Writing a member through a null struct pointer.
#include <stdio.h>

struct node {
    int pad[4];
    int value;
};

static void set(struct node *n, int v) {
    n->value = v; //~ ERROR null-dereference
}

int main(void) {
    struct node n;
    set(&n, 3);
    printf("%d\n", n.value);
    set(NULL, 4);
    return 0;
}
