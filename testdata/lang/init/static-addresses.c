// Static initialisers that hold addresses: of variables, array elements, members, functions and strings.
#include <stdio.h>

struct item { int id; int parts[4]; };
static int x = 5, y[3] = {1, 2, 3};
static struct item item = {9, {10, 11, 12, 13}};
static int *px = &x, *py = &y[1], *pend = y + 3;
static int *pm = &item.parts[2];
static struct item *pi = &item;
static const char *tail = "abcdef" + 3;
static char local_text[] = "zzz";
static char *pt = &local_text[1];
static int twice(int v) { return v * 2; }
static int (*fn)(int) = twice;
static void *self = &self;
struct chain { int v; struct chain *next; };
static struct chain c = {3, 0}, b = {2, &c}, a = {1, &b};
static int (*matrix_row)[2] = &((int[2][2]){{1, 2}, {3, 4}})[1];
static struct { int *p; long n; } table[] = {{&x, 1}, {y, 3}, {item.parts, 4}};

int main(void) {
    printf("%d %d %td %d\n", *px, *py, pend - y, *pm);
    pi->parts[2]++;
    printf("%d %s\n", *pm, tail);
    *pt = 'q';
    printf("%s %d\n", local_text, fn(21));
    printf("%d\n", self == (void *)&self);
    int sum = 0;
    for (struct chain *k = &a; k; k = k->next)
        sum = sum * 10 + k->v;
    printf("%d %d\n", sum, (*matrix_row)[0]);
    long n = 0;
    for (int i = 0; i < 3; i++)
        for (long j = 0; j < table[i].n; j++)
            n += table[i].p[j];
    printf("%ld\n", n);
    static int *once = &x;
    *once += 1;
    return x + (int)n;
}
