// Tables of function pointers, callbacks with context, and functions returning function pointers.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
typedef int (*binary)(int, int);

static const struct op {
    char sign;
    binary run;
} ops[] = {{'+', add}, {'-', sub}, {'*', &mul}, {0, 0}};

static binary find(char sign) {
    for (const struct op *o = ops; o->run; o++)
        if (o->sign == sign)
            return o->run;
    return NULL;
}

static int (*chooser(int flag))(int, int) { return flag ? add : sub; }

static void each(const int *a, int n, void (*f)(int, void *), void *ctx) {
    while (n-- > 0)
        f(*a++, ctx);
}
static void accumulate(int x, void *ctx) { *(long *)ctx += x; }
static void largest(int x, void *ctx) {
    int *m = ctx;
    if (x > *m)
        *m = x;
}

int main(void) {
    for (const char *s = "+-*/"; *s; s++) {
        binary f = find(*s);
        if (f)
            printf("%c %d %d\n", *s, f(6, 7), (*f)(7, 6));
        else
            printf("%c unknown\n", *s);
    }
    printf("%d %d\n", chooser(1)(3, 4), (**chooser(0))(3, 4));
    int data[] = {4, 8, 15, 16, 23, 42};
    long sum = 0;
    int max = 0;
    each(data, 6, accumulate, &sum);
    each(data, 6, largest, &max);
    printf("%ld %d\n", sum, max);
    binary (*get)(char) = find;
    printf("%d\n", get('*') == mul);
    int (*array[3])(int, int) = {add, sub, mul};
    int r = 100;
    for (int i = 0; i < 3; i++)
        r = array[i](r, i + 2);
    printf("%d\n", r);
    return r % 126;
}
