// Singly linked list: build, reverse, merge sort, detect a cycle, free.
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int v;
    struct node *next;
} node;

static node *cons(int v, node *next) {
    node *n = malloc(sizeof *n);
    *n = (node){v, next};
    return n;
}
static node *reverse(node *n) {
    node *r = NULL;
    while (n) {
        node *next = n->next;
        n->next = r;
        r = n;
        n = next;
    }
    return r;
}
static node *merge(node *a, node *b) {
    node head = {0}, *tail = &head;
    while (a && b) {
        node **least = a->v <= b->v ? &a : &b;
        tail = tail->next = *least;
        *least = (*least)->next;
    }
    tail->next = a ? a : b;
    return head.next;
}
static node *sort(node *n) {
    if (!n || !n->next)
        return n;
    node *slow = n, *fast = n->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    node *half = slow->next;
    slow->next = NULL;
    return merge(sort(n), sort(half));
}
static int cyclic(const node *n) {
    const node *fast = n;
    while (fast && fast->next) {
        n = n->next;
        fast = fast->next->next;
        if (n == fast)
            return 1;
    }
    return 0;
}
static void show(const node *n) {
    for (; n; n = n->next)
        printf("%d ", n->v);
    printf("\n");
}

int main(void) {
    node *l = NULL;
    for (int i = 0; i < 15; i++)
        l = cons(i * 11 % 15, l);
    show(l);
    l = reverse(l);
    show(l);
    l = sort(l);
    show(l);
    node *last = l;
    while (last->next)
        last = last->next;
    int before = cyclic(l);
    last->next = l->next;
    int after = cyclic(l);
    last->next = NULL;
    printf("%d %d\n", before, after);
    int n = 0;
    while (l) {
        node *next = l->next;
        n += l->v;
        free(l);
        l = next;
    }
    return n;
}
