// Designators into anonymous members, overriding, ranges with further designators.
#include <stdio.h>
#include <string.h>
struct O { union { struct { int a, b; }; long l; }; int tail; };
struct N { int k; struct { union { char c[4]; struct { short s, t; }; }; struct { int x; union { int y; float f; }; }; }; };
struct O g1 = { .a = 1, .b = 2 }, g2 = { .b = 2, .a = 1 }, g3 = { .l = 5, .a = 7 }, g4 = { .a = 7, .l = 0x500000006 }, g5 = { { { 3, 4 } }, 9 }, g6 = { .a = 1, 2, 3 };
struct N n1 = { .s = 1, .t = 2, .x = 3, .y = 4 }, n2 = { 1, .c = "ab", .y = 5, .x = 6 }, n3 = { .c[1] = 7, .c[2] = 8 };
struct P { struct { int p[4]; } in[3]; union { struct { int u1, u2; } u; long w; } z; };
struct P p1 = { .in[1].p[2] = 5, 6, .in[0].p[1] = 4, .z.u.u1 = 1, .z.u.u2 = 2 };
struct P p2 = { .z.w = 9, .z.u.u2 = 3, .in = { [1] = { { 1, 2 } } } };
struct P p3 = { .in[0 ... 2].p[1 ... 3] = 7, .in[1].p[2] = 1 };
int r1[8] = { [0] = 5, [0 ... 3] = 2, [2] = 9, [6 ... 7] = 1 }, r2[] = { [2 ... 4] = 3, 4, [0] = 1 };
struct { int a, b; } rs[4] = { [0 ... 3].a = 1, [1 ... 2].b = 2, [2] = { 5, 6 } }, rt[3] = { [0 ... 1] = { 1, 2 }, { 3, 4 } };
int m[3][4] = { [0 ... 1][1 ... 2] = 7, [2] = { 1, [2] = 3 } }, m2[2][3] = { 1, 2, [1][1] = 5, 6 };
struct B { unsigned a : 3, b : 5; int c; } b1 = { .b = 9, .a = 2 }, b2[3] = { [0 ... 2].b = 3, [1].a = 1 };
static void show(const char *s, const void *v, size_t n) { const unsigned char *c = v; printf("%s", s); for (size_t i = 0; i < n; i++) printf(" %d", c[i]); printf("\n"); }
#define S(x) show(#x, &x, sizeof x)
int f(int *n) { return ++*n; }
int main(void) {
    S(g1);
    S(g2);
    S(g3);
    S(g4);
    S(g5);
    S(g6);
    S(n1);
    S(n2);
    S(n3);
    S(p1);
    S(p2);
    S(p3);
    S(r1);
    S(r2);
    S(rs);
    S(rt);
    S(m);
    S(m2);
    S(b1);
    S(b2);
    int k = 0;
    struct O l1 = { .a = 1, .b = 2 }, l2 = { .b = 2, .a = 1 }, l3 = { .l = 5, .a = 7 }, l4 = { .a = 7, .l = 0x500000006 };
    struct N o1 = { .s = 1, .t = 2, .x = 3, .y = 4 }, o2 = { 1, .c = "ab", .y = 5, .x = 6 }, o3 = { .c[1] = 7, .c[2] = 8 };
    struct P q1 = { .in[1].p[2] = 5, 6, .in[0].p[1] = 4, .z.u.u1 = 1, .z.u.u2 = 2 };
    struct P q2 = { .z.w = 9, .z.u.u2 = 3, .in = { [1] = { { 1, 2 } } } };
    struct P q3 = { .in[0 ... 2].p[1 ... 3] = f(&k), .in[1].p[2] = 1 };
    int s1[8] = { [0] = 5, [0 ... 3] = 2, [2] = 9, [6 ... 7] = 1 }, s2[] = { [2 ... 4] = f(&k), 4, [0] = 1 };
    struct { int a, b; } ss[4] = { [0 ... 3].a = 1, [1 ... 2].b = 2, [2] = { 5, 6 } }, st[3] = { [0 ... 1] = { f(&k), 2 }, { 3, 4 } };
    int mm[3][4] = { [0 ... 1][1 ... 2] = 7, [2] = { 1, [2] = 3 } }, mm2[2][3] = { 1, 2, [1][1] = 5, 6 };
    struct B c1 = { .b = 9, .a = 2 };
    printf("%d %d %d %d\n", c1.a, c1.b, c1.c, k);
    S(l1); S(l2); S(l4); S(o1); S(o2); S(o3); S(q1); S(q3); S(s1); S(s2); S(ss); S(st); S(mm); S(mm2);
    printf("%d %d %d\n", l3.a, q2.z.u.u2, q2.in[1].p[1]);
    struct O *cp = &(struct O){ .b = 4, .a = 3 };
    printf("%d %d\n", cp->a, cp->b);
    return 0;
}
