/* A client of a linked list: numbers are put in their order, and taken out again. */
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *list, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    struct node **at = &list;
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    fresh->value = value;
    fresh->next = *at;
    *at = fresh;
    return list;
}

int client(int x, int y, int z) {
    struct node *list = 0;
    int last, order = 0;
    list = insert(list, x);
    list = insert(list, y);
    list = insert(list, z);
    last = list->value;
    while (list) {
        struct node *next = list->next;
        if (list->value < last) /* cannot be: the list is in order */
            return -1;
        if (list->value == x)
            order = order * 10 + 1;
        else if (list->value == y)
            order = order * 10 + 2;
        else
            order = order * 10 + 3;
        last = list->value;
        free(list);
        list = next;
    }
    if (order == 321) {
    FALLING:
        return 3;
    }
    return order > 300 ? 2 : 1;
}
