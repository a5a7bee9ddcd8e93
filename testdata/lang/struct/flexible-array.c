// Flexible array members: allocation, growth with realloc, nesting of headers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    size_t used, cap;
    char data[];
};
struct row {
    short n;
    int cells[];
};

static struct buffer *append(struct buffer *b, const char *s) {
    size_t n = strlen(s);
    if (!b || b->used + n + 1 > b->cap) {
        size_t cap = (b ? b->cap : 4) * 2 + n;
        struct buffer *grown = realloc(b, sizeof *grown + cap);
        if (!b)
            grown->used = 0;
        grown->cap = cap;
        b = grown;
    }
    memcpy(b->data + b->used, s, n + 1);
    b->used += n;
    return b;
}

int main(void) {
    struct buffer *b = NULL;
    const char *words[] = {"flexible", " ", "array", " ", "members", " ", "grow"};
    for (int i = 0; i < 7; i++)
        b = append(b, words[i]);
    printf("%s %zu\n", b->data, b->used);
    int status = (int)b->used;
    free(b);
    struct row *r = malloc(sizeof *r + 5 * sizeof(int));
    r->n = 5;
    for (int i = 0; i < r->n; i++)
        r->cells[i] = i * i - 3;
    int sum = 0;
    for (int *p = r->cells; p < r->cells + r->n; p++)
        sum += *p;
    printf("%d %zu %zu\n", sum, sizeof *r, sizeof(struct buffer));
    free(r);
    return status + sum;
}
