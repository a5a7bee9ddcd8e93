// Callbacks with state: map, filter and fold over arrays, composed at run time.
#include <stdio.h>

struct closure {
    int (*run)(struct closure *, int);
    int arg;
    struct closure *next;
};

static int add(struct closure *c, int x) { return x + c->arg; }
static int mul(struct closure *c, int x) { return x * c->arg; }
static int chain(struct closure *c, int x) {
    for (struct closure *p = c->next; p; p = p->next)
        x = p->run(p, x);
    c->arg++;
    return x;
}

static int filter(const int *in, int n, int *out, int (*keep)(int)) {
    int m = 0;
    for (int i = 0; i < n; i++)
        if (keep(in[i]))
            out[m++] = in[i];
    return m;
}
static int even(int x) { return x % 2 == 0; }
static int fold(const int *in, int n, int start, int (*f)(int, int)) {
    for (int i = 0; i < n; i++)
        start = f(start, in[i]);
    return start;
}
static int horner(int acc, int x) { return (acc * 3 + x) % 10007; }

int main(void) {
    struct closure c2 = {mul, 3, NULL}, c1 = {add, 4, &c2}, all = {chain, 0, &c1};
    int data[10], out[10];
    for (int i = 0; i < 10; i++)
        data[i] = all.run(&all, i);
    for (int i = 0; i < 10; i++)
        printf("%d ", data[i]);
    int m = filter(data, 10, out, even);
    printf("\n%d %d %d\n", m, all.arg, fold(out, m, 1, horner));
    return fold(data, 10, 0, horner) % 120;
}
