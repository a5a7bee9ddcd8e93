// A growable string builder with formatted append, insertion, replacement and joining.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *s;
    size_t len, cap;
};

static void reserve(struct text *t, size_t extra) {
    if (t->len + extra + 1 > t->cap) {
        t->cap = (t->len + extra + 1) * 2;
        t->s = realloc(t->s, t->cap);
    }
}
static void add(struct text *t, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    va_list measure;
    va_copy(measure, ap);
    int n = vsnprintf(NULL, 0, fmt, measure);
    va_end(measure);
    reserve(t, (size_t)n);
    vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->len += (size_t)n;
}
static void insert(struct text *t, size_t at, const char *s) {
    size_t n = strlen(s);
    reserve(t, n);
    memmove(t->s + at + n, t->s + at, t->len - at + 1);
    memcpy(t->s + at, s, n);
    t->len += n;
}
static int replace(struct text *t, const char *from, const char *to) {
    int count = 0;
    for (char *p = t->s; (p = strstr(p, from)) != NULL; count++) {
        size_t at = (size_t)(p - t->s);
        memmove(p, p + strlen(from), strlen(p + strlen(from)) + 1);
        t->len -= strlen(from);
        insert(t, at, to);
        p = t->s + at + strlen(to);
    }
    return count;
}

int main(void) {
    struct text t = {0};
    for (int i = 0; i < 8; i++)
        add(&t, "%s%d:%c", i ? ", " : "", i * i, 'a' + i);
    printf("%s\n", t.s);
    insert(&t, 0, "<<");
    insert(&t, t.len, ">>");
    insert(&t, 7, "|middle|");
    printf("%s %zu\n", t.s, t.len);
    int n = replace(&t, ", ", " and then ");
    n += replace(&t, "and ", "");
    printf("%s %zu %d\n", t.s, t.len, n);
    int r = (int)t.len % 120;
    free(t.s);
    return r;
}
