// Pointers to pointers: output parameters, linked-list removal without a special case, argument vectors.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static void push(struct node **head, int v) {
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = *head;
    *head = n;
}

static int remove_all(struct node **link, int v) {
    int removed = 0;
    while (*link) {
        if ((*link)->value == v) {
            struct node *dead = *link;
            *link = dead->next;
            free(dead);
            removed++;
        } else {
            link = &(*link)->next;
        }
    }
    return removed;
}

static void redirect(const char ***v, const char **to) { *v = to; }

int main(void) {
    struct node *list = NULL;
    int values[] = {3, 1, 3, 2, 3, 3, 5, 3};
    for (int i = 0; i < 8; i++)
        push(&list, values[i]);
    int removed = remove_all(&list, 3);
    for (struct node *n = list; n; n = n->next)
        printf("%d ", n->value);
    printf("(%d removed)\n", removed);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    const char *one[] = {"a", "b", NULL}, *two[] = {"x", "y", "z", NULL};
    const char **v = one;
    redirect(&v, two);
    for (const char **p = v; *p; p++)
        printf("%s", *p);
    printf("\n");
    int x = 1, *px = &x, **ppx = &px, ***pppx = &ppx;
    ***pppx = 9;
    int y = 4;
    **pppx = &y;
    ++*px;
    printf("%d %d\n", x, y);
    return removed * 10 + y;
}
