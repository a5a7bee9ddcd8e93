// A chained hash table with resizing, counting words of a text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    unsigned hash;
    int count;
    char key[];
};
struct table {
    struct entry **slots;
    size_t cap, len;
};

static unsigned hash(const char *s) {
    unsigned h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}
static void grow(struct table *t) {
    size_t cap = t->cap ? t->cap * 2 : 4;
    struct entry **slots = calloc(cap, sizeof *slots);
    for (size_t i = 0; i < t->cap; i++)
        for (struct entry *e = t->slots[i], *next; e; e = next) {
            next = e->next;
            e->next = slots[e->hash % cap];
            slots[e->hash % cap] = e;
        }
    free(t->slots);
    t->slots = slots;
    t->cap = cap;
}
static int *at(struct table *t, const char *key) {
    if (t->len >= t->cap)
        grow(t);
    unsigned h = hash(key);
    struct entry **slot = &t->slots[h % t->cap];
    for (struct entry *e = *slot; e; e = e->next)
        if (e->hash == h && strcmp(e->key, key) == 0)
            return &e->count;
    struct entry *e = malloc(sizeof *e + strlen(key) + 1);
    e->hash = h;
    e->count = 0;
    strcpy(e->key, key);
    e->next = *slot;
    *slot = e;
    t->len++;
    return &e->count;
}
static int by_count(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->key, y->key);
}

int main(void) {
    char text[] = "if you can keep your head when all about you are losing theirs and blaming it on you "
                  "if you can trust yourself when all men doubt you but make allowance for their doubting too";
    struct table t = {0};
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        ++*at(&t, w);
    struct entry **all = malloc(t.len * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < t.cap; i++)
        for (struct entry *e = t.slots[i]; e; e = e->next)
            all[n++] = e;
    qsort(all, n, sizeof *all, by_count);
    for (size_t i = 0; i < 8; i++)
        printf("%s %d\n", all[i]->key, all[i]->count);
    printf("%zu %zu\n", t.len, t.cap);
    for (size_t i = 0; i < n; i++)
        free(all[i]);
    free(all);
    free(t.slots);
    return (int)n;
}
