// Polynomials as arrays: addition, product, division, evaluation and printing.
#include <stdio.h>
#include <string.h>

#define MAX 12
typedef struct { int deg; long c[MAX]; } poly;

static poly make(int deg, const long *c) {
    poly p = {deg, {0}};
    memcpy(p.c, c, (size_t)(deg + 1) * sizeof *c);
    return p;
}
static poly mul(poly a, poly b) {
    poly r = {a.deg + b.deg, {0}};
    for (int i = 0; i <= a.deg; i++)
        for (int j = 0; j <= b.deg; j++)
            r.c[i + j] += a.c[i] * b.c[j];
    return r;
}
static poly divide(poly a, poly b, poly *rest) {
    poly q = {a.deg - b.deg, {0}};
    for (int i = q.deg; i >= 0; i--) {
        q.c[i] = a.c[i + b.deg] / b.c[b.deg];
        for (int j = 0; j <= b.deg; j++)
            a.c[i + j] -= q.c[i] * b.c[j];
    }
    a.deg = b.deg > 0 ? b.deg - 1 : 0;
    *rest = a;
    return q;
}
static long eval(const poly *p, long x) {
    long v = 0;
    for (int i = p->deg; i >= 0; i--)
        v = v * x + p->c[i];
    return v;
}
static void show(poly p) {
    int first = 1;
    for (int i = p.deg; i >= 0; i--) {
        if (!p.c[i])
            continue;
        printf(first ? "%ld" : " %+ld", p.c[i]);
        if (i)
            printf(i > 1 ? "x^%d" : "x", i);
        first = 0;
    }
    printf("%s\n", first ? "0" : "");
}

int main(void) {
    poly a = make(3, (long[]){-5, 0, 2, 1}), b = make(1, (long[]){-3, 1}), rest;
    poly p = mul(a, b);
    show(a);
    show(b);
    show(p);
    p.c[0] += 7;
    poly q = divide(p, b, &rest);
    show(q);
    show(rest);
    poly power = make(0, (long[]){1});
    for (int i = 0; i < 8; i++)
        power = mul(power, make(1, (long[]){1, 1}));
    show(power);
    printf("%ld %ld\n", eval(&p, 2), eval(&power, 3));
    return (int)power.c[4];
}
