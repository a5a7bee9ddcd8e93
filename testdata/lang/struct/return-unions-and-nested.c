// Unions and nested aggregates passed, returned and assigned through conditional and comma expressions.
#include <stdio.h>

union word { unsigned u; unsigned char b[4]; };
struct line { struct { int x, y; } from, to; };
struct matrix { int m[2][2]; };

static union word make(unsigned u) { return (union word){.u = u}; }
static union word swap(union word w) {
    unsigned char t = w.b[0];
    w.b[0] = w.b[3];
    w.b[3] = t;
    return w;
}
static struct line flip(struct line l) {
    struct line r = {{l.to.x, l.to.y}, {l.from.x, l.from.y}};
    return r;
}
static struct matrix times(struct matrix a, struct matrix b) {
    struct matrix r = {{{0}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}

int main(void) {
    printf("%x %x %d\n", swap(make(0x11223344)).u, make(5).u, swap(make(0xAB)).b[3]);
    struct line l = {{1, 2}, {3, 4}};
    printf("%d %d %d\n", flip(l).from.x, flip(flip(l)).to.y, l.from.x);
    struct matrix f = {{{1, 1}, {1, 0}}}, p = {{{1, 0}, {0, 1}}};
    for (int i = 0; i < 10; i++)
        p = times(p, f);
    printf("%d %d\n", p.m[0][1], times(p, p).m[0][0]);
    int flag = p.m[0][1] > 50;
    struct line m = flag ? flip(l) : l;
    m = (flag++, flip(m));
    printf("%d %d %d\n", m.from.x, m.to.y, flag);
    return p.m[0][1];
}
