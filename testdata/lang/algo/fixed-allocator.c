// An arena and a free-list pool allocator inside a static buffer, with alignment.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static _Alignas(16) unsigned char arena[1024];
static size_t used;

static void *take(size_t n, size_t align) {
    size_t at = (used + align - 1) & ~(align - 1);
    if (at + n > sizeof arena)
        return NULL;
    used = at + n;
    return arena + at;
}

union block {
    union block *next;
    double payload[3];
};
static union block *free_list;
static union block *get(void) {
    union block *b = free_list;
    if (b)
        free_list = b->next;
    else
        b = take(sizeof *b, _Alignof(union block));
    return b;
}
static void put(union block *b) {
    b->next = free_list;
    free_list = b;
}

int main(void) {
    char *c = take(3, 1);
    int *i = take(4 * sizeof *i, _Alignof(int));
    double *d = take(sizeof *d, _Alignof(double));
    c[0] = 'x';
    for (int k = 0; k < 4; k++)
        i[k] = k * 9;
    *d = 2.5;
    printf("%td %td %c %d %g\n", (unsigned char *)i - arena, (unsigned char *)d - arena, c[0], i[3], *d);
    union block *b[8];
    for (int k = 0; k < 8; k++) {
        b[k] = get();
        b[k]->payload[1] = k;
    }
    size_t after = used;
    put(b[2]);
    put(b[5]);
    union block *x = get(), *y = get(), *z = get();
    printf("%d %d %d %zu %zu\n", x == b[5], y == b[2], z == b[7] + 1, after, used);
    int n = 0;
    while (take(100, 8))
        n++;
    printf("%d\n", n);
    return n * 10 + (int)(used % 10);
}
