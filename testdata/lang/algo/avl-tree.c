// AVL tree with rotations; checks balance after every insertion.
#include <stdio.h>
#include <stdlib.h>

typedef struct avl {
    int key, height;
    struct avl *kid[2];
} avl;

static int h(const avl *t) { return t ? t->height : 0; }
static void update(avl *t) {
    int a = h(t->kid[0]), b = h(t->kid[1]);
    t->height = (a > b ? a : b) + 1;
}
static avl *rotate(avl *t, int side) {
    avl *k = t->kid[!side];
    t->kid[!side] = k->kid[side];
    k->kid[side] = t;
    update(t);
    update(k);
    return k;
}
static avl *balance(avl *t) {
    update(t);
    int d = h(t->kid[1]) - h(t->kid[0]);
    if (d < 2 && d > -2)
        return t;
    int heavy = d > 0;
    avl *k = t->kid[heavy];
    if (h(k->kid[!heavy]) > h(k->kid[heavy]))
        t->kid[heavy] = rotate(k, heavy);
    return rotate(t, !heavy);
}
static avl *insert(avl *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
        t->height = 1;
        return t;
    }
    int side = key > t->key;
    t->kid[side] = insert(t->kid[side], key);
    return balance(t);
}
static int valid(const avl *t, int lo, int hi) {
    if (!t)
        return 1;
    int d = h(t->kid[1]) - h(t->kid[0]);
    return t->key > lo && t->key < hi && d >= -1 && d <= 1 && valid(t->kid[0], lo, t->key) && valid(t->kid[1], t->key, hi);
}
static void release(avl *t) {
    if (t) {
        release(t->kid[0]);
        release(t->kid[1]);
        free(t);
    }
}

int main(void) {
    avl *t = NULL;
    int good = 0;
    for (int i = 1; i <= 100; i++) {
        t = insert(t, i * 37 % 101);
        good += valid(t, 0, 101);
    }
    printf("%d %d %d\n", good, h(t), t->key);
    int r = h(t) * 10;
    release(t);
    t = NULL;
    for (int i = 0; i < 63; i++)
        t = insert(t, i);
    printf("%d %d\n", h(t), t->key);
    r += h(t);
    release(t);
    return r;
}
