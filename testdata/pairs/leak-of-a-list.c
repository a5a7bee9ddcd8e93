// The first element of a list is freed, and with it the only way to the others.
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node); //~ ERROR leak
        if (!node)
            return 1;
        node->next = list;
        list = node;
    }
#ifdef TWIN
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
#else
    free(list);
#endif
    puts("done");
    return 0;
}
