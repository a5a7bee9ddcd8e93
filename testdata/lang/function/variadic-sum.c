// Variadic functions: ints, doubles, pointers, promoted chars, and sentinels.
#include <stdarg.h>
#include <stdio.h>

static long sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long s = 0;
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static double average(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, double);
    va_end(ap);
    return n ? s / n : 0;
}

static void describe(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': printf("int %d;", va_arg(ap, int)); break;
        case 'u': printf("unsigned %u;", va_arg(ap, unsigned)); break;
        case 'l': printf("long %ld;", va_arg(ap, long)); break;
        case 'd': printf("double %g;", va_arg(ap, double)); break;
        case 's': printf("string %s;", va_arg(ap, const char *)); break;
        case 'p': printf("pointee %d;", *va_arg(ap, int *)); break;
        }
    printf("\n");
    va_end(ap);
}

int main(void) {
    char c = 5;
    short s = -6;
    float f = 1.5f;
    int x = 42;
    printf("%ld %ld %ld\n", sum(0), sum(3, 1, 2, 3), sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    printf("%ld\n", sum(3, c, s, 'A'));
    printf("%g %g\n", average(4, 1.0, 2.5, f, 7.0), average(0));
    describe("idslup", -1, 2.25, "mixed", 1L << 40, 3000000000u, &x);
    describe("dddddddddds", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., "last");
    return (int)sum(4, c, c, c, x);
}
