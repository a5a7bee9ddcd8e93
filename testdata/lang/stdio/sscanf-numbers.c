// sscanf integers and floats: bases, widths, sizes, suppression and return counts.
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, n;
    unsigned u = 0;
    long l = 0;
    short h = 0;
    signed char hh = 0;
    float f = 0;
    double d = 0;
    n = sscanf("12 -34", "%d %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("12 abc", "%d %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("0x1f 017 0x2a", "%x %o %i", &u, (unsigned *)&a, &b);
    printf("%d %u %d %d\n", n, u, a, b);
    n = sscanf("123456", "%3d%2d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("9000000000 70 -5", "%ld %hd %hhd", &l, &h, &hh);
    printf("%d %ld %d %d\n", n, l, h, hh);
    n = sscanf("1.5 -2.5e3", "%f %lf", &f, &d);
    printf("%d %g %g\n", n, f, d);
    n = sscanf("1 2 3 4", "%d %*d %*d %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("x", "%d", &a);
    printf("%d\n", n);
    n = sscanf("10:20", "%d:%d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("50%", "%d%%", &a);
    printf("%d %d\n", n, a);
    n = sscanf("3,4;5", "%d,%d,%d", &a, &b, &n);
    printf("%d %d %d\n", n, a, b);
    return a * 10 + b;
}
