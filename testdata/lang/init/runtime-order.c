// Automatic initialisers evaluated at run time, dependent on earlier ones, re-evaluated per iteration.
#include <stdio.h>

static int next(void) {
    static int n = 10;
    return n++;
}

struct pair { int a, b; };
static struct pair make(int a) {
    struct pair p = {a, a * a};
    return p;
}

int main(void) {
    int a = next(), b = a * 2, c = b + a;
    printf("%d %d %d\n", a, b, c);
    int arr[3] = {a, a + 1, a + 2};
    for (int i = 0; i < 3; i++) {
        int fresh = i;
        int copy[2] = {fresh, arr[i]};
        struct pair p = make(copy[1]);
        fresh += 100;
        static int kept = 5;
        kept += fresh;
        printf("%d %d %d %d %d\n", fresh, copy[0], p.a, p.b, kept);
    }
    struct pair ps[2] = {make(3), {next(), 1}};
    printf("%d %d %d\n", ps[0].b, ps[1].a, ps[1].b);
    struct pair q = ps[1], *pq = &q;
    struct { struct pair in; int z; } wrap = {*pq, pq->b};
    printf("%d %d\n", wrap.in.a, wrap.z);
    int scalar = {8};
    return scalar + next();
}
