// Nested designators, brace elision, strings, unions and copies in initialisers.
#include <stdio.h>
#include <string.h>
struct in { short a, b; char c[3]; };
struct out { int k; struct in i[2]; union { int u; double d; struct in s; } un; };
static struct out g[] = { [1] = { 1, { { 2, 3, "x" }, { .b = 5 } }, { .s = { 7, 8, { 'q', 'r' } } } }, [0].i[1].c = "zz", [0].un.d = 1.5, [2] = { .i = { [1].c[1] = 'c', [0] = { 1 } }, .k = 4, .i[0].b = 6 } };
static char strs[][4] = { "a", "bcd", { 'x', 'y' }, { "zz" }, [5] = "q" };
static int nested[2][2][2] = { 1, 2, { 3, 4 }, { { 5 }, { 6, 7 } } };
static struct { int a; int b[]; } fl = { 1, { 2, 3, 4 } };
static struct in el[] = { 1, 2, "ab", 3, 4, 'c', 'd', 0, 5 };
static int over[] = { 1, 2, [0] = 9, [1] = 8, 7, [1] = 3 };
static struct { unsigned a : 4, : 4, b : 8; unsigned : 0; int c : 6; } bf = { 3, 200, -5 };
const char *pp = &"hello"[1];
int *np = (void *)0;
double dd[] = { 1, 2.5f, 'a' };
union { char c; int i; } un = { 300 };
struct { union { int a; float b; }; int c; } anon = { { 5 }, 6 }, anon2 = { .b = 2.0f, .c = 3 }, anon3 = { 7, 8 };
static struct in copy(struct in x) { return x; }
int main(void) {
    for (int i = 0; i < 3; i++) { printf("%d ", g[i].k); for (int j = 0; j < 2; j++) printf("%d %d %.3s ", g[i].i[j].a, g[i].i[j].b, g[i].i[j].c); printf("%x\n", g[i].un.u); }
    for (int i = 0; i < 6; i++) printf("%.4s,", strs[i]);
    printf("%zu\n", sizeof strs);
    for (int i = 0; i < 8; i++) printf("%d ", ((int *)nested)[i]);
    printf("%d %zu\n", fl.b[2], sizeof fl);
    for (size_t i = 0; i < sizeof el / sizeof *el; i++) printf("%d %d %.3s;", el[i].a, el[i].b, el[i].c);
    for (size_t i = 0; i < sizeof over / sizeof *over; i++) printf(" %d", over[i]);
    printf("\n%u %u %d %s %g %d %d %d %d %d\n", bf.a, bf.b, bf.c, pp, dd[2], un.i, anon.a, anon.c, anon2.c, anon3.c);
    struct in x = { 1, 2, "hi" };
    struct out l = { .i = { x, [1] = copy(x) }, .un.s = x };
    printf("%d %d %s %d %s %d\n", l.k, l.i[0].b, l.i[1].c, l.un.s.a, l.un.s.c, l.i[1].a);
    struct out l2 = { .i[0] = { 1, 2, "hi" }, .i[0].b = 9, .i[1] = x };
    printf("%d %d %s %d %d\n", l2.i[0].a, l2.i[0].b, l2.i[0].c, l2.i[1].a, l2.i[1].b);
    struct in e[] = { x, { 5 }, x, 6, 7, "z" };
    printf("%zu %d %d %s\n", sizeof e / sizeof *e, e[1].a, e[3].b, e[3].c);
    char s[5] = { "ab" }, t[] = { 'a', 0 }, u[2][3] = { "ab", { 'c' } };
    printf("%s %d %s %zu %s\n", s, s[4], t, sizeof t, u[1]);
    int z[4] = { 0 }, y[4] = {};
    printf("%d %d\n", z[3], y[2]);
    struct { int a; struct { int b; } c[2]; } w = { 1, 2, 3 };
    printf("%d %d\n", w.c[0].b, w.c[1].b);
    static int *ps[] = { &over[1], over + 2 };
    printf("%d %d\n", *ps[0], *ps[1]);
    return 0;
}
