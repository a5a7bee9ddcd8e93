// Old-style definitions with typedefs, implicit int, declarations with attributes.
#include <stdio.h>
#include <stdlib.h>
extern void die() __attribute__((noreturn));
extern int puts2() __attribute__((unused));
typedef unsigned char T; typedef struct { int a, b; } S;
g(a, b) T a; T *b; { return a + *b; }
static int h(s, f, p) S s; float f; int (*p)(); { return s.a + s.b + (int)f + p(1, &s); }
int cb(int n, S *s) { return n + s->b; }
void die(n) int n; { exit(n); }
int (*pick())(int, S *) { return cb; }
int main(void) {
    T x = 3;
    S s = { 1, 2 };
    printf("%d %d %d %d\n", g(x, &x), h(s, 2.5, cb), pick()(4, &s), ((int (*)())cb)(5, &s));
    die(3);
}
