// ?: with mixed types, nesting, lvalue results through pointers, and GNU a ?: b.
#include <stdio.h>
#include <string.h>

static int calls;
static int counted(int v) {
    calls++;
    return v;
}

struct pair {
    int a, b;
};

int main(void) {
    int x = 5;
    unsigned u = 7;
    printf("%d\n", (x > 3 ? -1 : u) > 0);
    printf("%g\n", x > 3 ? 1 : 2.5);
    printf("%d\n", (int)sizeof(1 ? (char)1 : (char)2));
    printf("%s\n", x > 9 ? "big" : x > 4 ? "medium" : "small");
    printf("%d\n", counted(6) ?: counted(9));
    printf("%d\n", counted(0) ?: counted(9));
    printf("%d\n", calls);
    const char *name = NULL;
    printf("%s\n", name ?: "anonymous");
    int a = 1, b = 2;
    *(x ? &a : &b) = 40;
    printf("%d %d\n", a, b);
    void *v = x ? &a : NULL;
    printf("%d\n", v == &a);
    struct pair p = {1, 2}, q = {3, 4};
    struct pair r = x == 5 ? q : p;
    printf("%d %d\n", r.a, (x ? p : q).b);
    x ? (void)(a = 9) : (void)(b = 9);
    printf("%d %d\n", a, b);
    int chain = 0;
    for (int i = 0; i < 15; i++)
        chain += i % 15 == 0 ? 1000 : i % 5 == 0 ? 100 : i % 3 == 0 ? 10 : 1;
    printf("%d\n", chain);
    return chain % 126;
}
