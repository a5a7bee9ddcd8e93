// void* round trips, generic swap and generic maximum through byte sizes.
#include <stdio.h>
#include <string.h>

static void swap(void *a, void *b, size_t n) {
    unsigned char *x = a, *y = b;
    while (n--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

static const void *maximum(const void *base, size_t n, size_t size, int (*less)(const void *, const void *)) {
    const char *best = base;
    for (size_t i = 1; i < n; i++) {
        const char *p = (const char *)base + i * size;
        if (less(best, p))
            best = p;
    }
    return best;
}

static int less_double(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }
static int less_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b) < 0; }

int main(void) {
    int i = 1, j = 2;
    double d = 1.5, e = -2.5;
    struct { char c; int n[3]; } s = {'s', {1, 2, 3}}, t = {'t', {7, 8, 9}};
    swap(&i, &j, sizeof i);
    swap(&d, &e, sizeof d);
    swap(&s, &t, sizeof s);
    printf("%d %d %g %g %c%d %c%d\n", i, j, d, e, s.c, s.n[2], t.c, t.n[0]);
    double v[] = {3.5, 9.25, -1, 9};
    const char *w[] = {"pear", "apple", "quince", "fig"};
    printf("%g\n", *(const double *)maximum(v, 4, sizeof *v, less_double));
    printf("%s\n", *(char *const *)maximum(w, 4, sizeof *w, less_string));
    void *p = &i;
    void **pp = &p;
    *(int *)*pp = 77;
    printf("%d\n", i);
    void *q = p;
    printf("%d %d\n", p == q, p != &j);
    return i;
}
