// const and volatile in every position: pointer to const, const pointer, volatile objects, const arrays.
#include <stdio.h>

static const int table[] = {2, 3, 5, 7, 11};
static volatile int ticks;
static const char *const words[] = {"one", "two"};

static int sum(const int *p, const int *const end) {
    int s = 0;
    while (p < end)
        s += *p++;
    return s;
}

static void tick(volatile int *t) {
    *t += 1;
    ++*t;
    (*t)++;
}

int main(void) {
    printf("%d\n", sum(table, table + 5));
    tick(&ticks);
    tick(&ticks);
    volatile int copy = ticks;
    printf("%d\n", copy);
    int x = 1;
    const int *to_const = &x;
    x = 2;
    printf("%d\n", *to_const);
    int *const fixed = &x;
    *fixed = 3;
    printf("%d\n", *to_const);
    const volatile unsigned char port = 0x5a;
    printf("%d\n", port & 0xf);
    printf("%s%s\n", words[0], words[1]);
    const struct { int a; const char *b; } s = {4, "four"};
    printf("%d %s\n", s.a, s.b);
    const char *p = words[1];
    p++;
    printf("%s\n", p);
    int *restrict r = &x;
    *r += 10;
    return x + copy;
}
