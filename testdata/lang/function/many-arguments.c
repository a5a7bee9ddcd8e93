// Functions with many parameters of mixed kinds, structs among them, through pointers and varargs.
#include <stdarg.h>
#include <stdio.h>

struct big { long v[5]; };
struct tiny { char c; short s; };

static double mix(int a, double b, struct tiny t, long c, float d, struct big g, char e, double f, int h, double i, double j,
                  double k, double l, double m, double n, int *out) {
    *out = a + t.c + t.s + (int)c + e + h + (int)g.v[4];
    return b + d + f + i + j + k + l + m + n;
}
static int collect(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++) {
        struct tiny t = va_arg(ap, struct tiny);
        struct big b = va_arg(ap, struct big);
        double d = va_arg(ap, double);
        s += t.c + t.s + (int)b.v[i] + (int)d;
    }
    va_end(ap);
    return s;
}

int main(void) {
    struct big g = {{1, 2, 3, 4, 5}};
    struct tiny t = {6, 7};
    int out;
    double (*f)(int, double, struct tiny, long, float, struct big, char, double, int, double, double, double, double, double,
                double, int *) = mix;
    double d = f(1, 0.5, t, 2, 0.25f, g, 3, 1, 4, 2, 3, 4, 5, 6, 7, &out);
    printf("%g %d\n", d, out);
    printf("%d\n", collect(3, t, g, 1.5, t, g, 2.5, t, g, 3.5));
    return out;
}
