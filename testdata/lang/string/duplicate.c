// strdup and strndup, growing a string list, and freeing all of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    char **items;
    size_t len, cap;
};

static void add(struct list *l, const char *s) {
    if (l->len == l->cap) {
        l->cap = l->cap ? l->cap * 2 : 1;
        l->items = realloc(l->items, l->cap * sizeof *l->items);
    }
    l->items[l->len++] = strdup(s);
}

int main(void) {
    struct list l = {0};
    const char *src[] = {"pear", "apple", "", "banana", "kiwi"};
    for (int i = 0; i < 5; i++)
        add(&l, src[i]);
    l.items[0][0] = 'P';
    size_t bytes = 0;
    for (size_t i = 0; i < l.len; i++) {
        printf("%s,", l.items[i]);
        bytes += strlen(l.items[i]) + 1;
    }
    printf(" %zu %zu %zu\n", l.len, l.cap, bytes);
    char *part = strndup("abcdefgh", 3), *whole = strndup("ab", 10);
    printf("%s %s\n", part, whole);
    free(part);
    free(whole);
    while (l.len)
        free(l.items[--l.len]);
    free(l.items);
    return (int)bytes;
}
