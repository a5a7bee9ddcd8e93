/* A list of names whose removal function looks at the node it has just freed. Compiled, it usually works. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char name[16];
    struct node *next;
};

static struct node *add(struct node *list, const char *name) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(3);
    strncpy(node->name, name, sizeof node->name - 1);
    node->name[sizeof node->name - 1] = '\0';
    node->next = list;
    return node;
}

static void clear(struct node *list) {
    for (struct node *node = list; node; node = node->next) {
        printf("removing %s\n", node->name);
        free(node);
    }
}

int main(void) {
    struct node *list = NULL;
    list = add(list, "ada");
    list = add(list, "grace");
    clear(list);
    return 0;
}
