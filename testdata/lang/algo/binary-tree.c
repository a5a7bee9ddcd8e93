// Binary search tree: insert, traverse in three orders, height, delete, free.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *l, *r;
};

static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) {
        t->l = insert(t->l, key);
    } else if (key > t->key) {
        t->r = insert(t->r, key);
    }
    return t;
}
static int height(const struct tree *t) {
    if (!t)
        return 0;
    int a = height(t->l), b = height(t->r);
    return 1 + (a > b ? a : b);
}
static void walk(const struct tree *t, int order) {
    if (!t)
        return;
    if (order == 0)
        printf("%d ", t->key);
    walk(t->l, order);
    if (order == 1)
        printf("%d ", t->key);
    walk(t->r, order);
    if (order == 2)
        printf("%d ", t->key);
}
static void drop(struct tree **t, int key) {
    while (*t && (*t)->key != key)
        t = key < (*t)->key ? &(*t)->l : &(*t)->r;
    struct tree *dead = *t;
    if (!dead)
        return;
    if (!dead->l) {
        *t = dead->r;
    } else if (!dead->r) {
        *t = dead->l;
    } else {
        struct tree **m = &dead->r;
        while ((*m)->l)
            m = &(*m)->l;
        struct tree *next = *m;
        *m = next->r;
        next->l = dead->l;
        next->r = dead->r;
        *t = next;
    }
    free(dead);
}
static int release(struct tree *t) {
    if (!t)
        return 0;
    int n = 1 + release(t->l) + release(t->r);
    free(t);
    return n;
}

int main(void) {
    struct tree *t = NULL;
    int keys[] = {50, 30, 70, 20, 40, 60, 80, 35, 45, 65, 30, 70};
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        t = insert(t, keys[i]);
    for (int o = 0; o < 3; o++) {
        walk(t, o);
        printf("\n");
    }
    printf("%d\n", height(t));
    drop(&t, 30);
    drop(&t, 50);
    drop(&t, 20);
    drop(&t, 99);
    walk(t, 1);
    printf("%d\n", t->key);
    int root = t->key;
    return release(t) + root;
}
