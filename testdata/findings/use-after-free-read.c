// Reading the next pointer of a node that was just freed.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int v;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = list;
        list = n;
    }
    while (list) {
        free(list);
        list = list->next; //~ ERROR use-after-free
    }
    return 0;
}
