// Structs of several sizes passed and returned by value; copies are independent.
#include <stdio.h>

struct small { char a; };
struct pair { int x, y; };
struct mixed { double d; int i; char c[3]; };
struct large { long v[20]; };

static struct small twice(struct small s) {
    s.a *= 2;
    return s;
}
static struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }
static struct mixed mix(struct mixed m, int k) {
    m.d *= k;
    m.i += k;
    m.c[k % 3] = 'Z';
    return m;
}
static struct large shift(struct large l) {
    for (int i = 0; i < 19; i++)
        l.v[i] = l.v[i + 1];
    l.v[19] = -1;
    return l;
}
static long total(struct large l) {
    long t = 0;
    for (int i = 0; i < 20; i++)
        t += l.v[i];
    return t;
}

int main(void) {
    struct small s = {21};
    struct pair p = {3, 4};
    struct mixed m = {1.5, 10, "ab"};
    struct large l;
    for (int i = 0; i < 20; i++)
        l.v[i] = i * i;
    printf("%d %d\n", twice(s).a, s.a);
    printf("%d %d %d\n", swap(p).x, swap(swap(p)).x, p.x);
    struct mixed n = mix(mix(m, 2), 3);
    printf("%g %d %c%c | %g %d %s\n", n.d, n.i, n.c[0], n.c[2], m.d, m.i, m.c);
    printf("%ld %ld %ld\n", total(l), total(shift(l)), total(shift(shift(l))));
    struct pair (*f)(struct pair) = swap;
    p = f(p);
    printf("%d %d\n", p.x, p.y);
    return (int)(total(l) % 101) + f(p).x;
}
