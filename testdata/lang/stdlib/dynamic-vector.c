// A growable vector of structs with insertion, removal and binary search.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec {
    struct entry { int key; double value; } *data;
    size_t len, cap;
};

static void insert(struct vec *v, size_t at, struct entry e) {
    if (v->len == v->cap) {
        v->cap = v->cap * 3 / 2 + 2;
        v->data = realloc(v->data, v->cap * sizeof *v->data);
    }
    memmove(v->data + at + 1, v->data + at, (v->len - at) * sizeof *v->data);
    v->data[at] = e;
    v->len++;
}
static void erase(struct vec *v, size_t at) {
    memmove(v->data + at, v->data + at + 1, (--v->len - at) * sizeof *v->data);
}
static size_t lower_bound(const struct vec *v, int key) {
    size_t lo = 0, hi = v->len;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (v->data[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

int main(void) {
    struct vec v = {0};
    for (int i = 0; i < 25; i++) {
        int key = i * 17 % 25;
        insert(&v, lower_bound(&v, key), (struct entry){key, key / 4.0});
    }
    for (int k = 1; k < 25; k += 3)
        erase(&v, lower_bound(&v, k));
    double sum = 0;
    for (size_t i = 0; i < v.len; i++) {
        printf("%d:%g ", v.data[i].key, v.data[i].value);
        sum += v.data[i].value;
    }
    printf("\n%zu %g\n", v.len, sum);
    int r = (int)v.len;
    free(v.data);
    return r;
}
