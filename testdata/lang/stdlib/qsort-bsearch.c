// qsort with several comparators and bsearch with hits and misses.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct city {
    const char *name;
    int people;
};

static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_int_down(const void *a, const void *b) { return by_int(b, a); }
static int by_name(const void *a, const void *b) {
    return strcmp(((const struct city *)a)->name, ((const struct city *)b)->name);
}
static int by_people(const void *a, const void *b) {
    return ((const struct city *)a)->people - ((const struct city *)b)->people;
}
static int by_string(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

int main(void) {
    int v[20];
    for (int i = 0; i < 20; i++)
        v[i] = i * 37 % 101 - 30;
    qsort(v, 20, sizeof *v, by_int);
    for (int i = 0; i < 20; i++)
        printf("%d ", v[i]);
    printf("\n");
    int hits = 0;
    for (int k = -30; k <= 70; k++)
        hits += bsearch(&k, v, 20, sizeof *v, by_int) != NULL;
    printf("%d\n", hits);
    qsort(v, 20, sizeof *v, by_int_down);
    printf("%d %d\n", v[0], v[19]);
    struct city c[] = {{"Rome", 28}, {"Bern", 1}, {"Oslo", 7}, {"Kyiv", 29}};
    qsort(c, 4, sizeof *c, by_name);
    for (int i = 0; i < 4; i++)
        printf("%s ", c[i].name);
    struct city key = {"Oslo", 0};
    struct city *found = bsearch(&key, c, 4, sizeof *c, by_name);
    printf("%d\n", found->people);
    qsort(c, 4, sizeof *c, by_people);
    printf("%s %s\n", c[0].name, c[3].name);
    const char *words[] = {"delta", "alpha", "charlie", "bravo"};
    qsort(words, 4, sizeof *words, by_string);
    printf("%s %s\n", words[0], words[3]);
    qsort(v, 0, sizeof *v, by_int);
    qsort(v, 1, sizeof *v, by_int);
    return hits;
}
