// Numerical integration, Newton's method and series, printed with limited digits.
#include <math.h>
#include <stdio.h>

typedef double (*fn)(double);

static double simpson(fn f, double a, double b, int n) {
    double h = (b - a) / n, s = f(a) + f(b);
    for (int i = 1; i < n; i++)
        s += f(a + i * h) * (i % 2 ? 4 : 2);
    return s * h / 3;
}
static double square(double x) { return x * x; }
static double bell(double x) { return 1 / (1 + x * x); }

static double series_e(void) {
    double term = 1, sum = 1;
    for (int n = 1; term > 1e-16; n++) {
        term /= n;
        sum += term;
    }
    return sum;
}

int main(void) {
    printf("%.8f\n", simpson(square, 0, 3, 10));
    printf("%.8f\n", 4 * simpson(bell, 0, 1, 200));
    printf("%.8f\n", simpson(sin, 0, 3.14159265358979, 100));
    printf("%.10f\n", series_e());
    double lo = 0, hi = 2;
    int steps = 0;
    while (hi - lo > 1e-9) {
        double mid = (lo + hi) / 2;
        if (mid * mid * mid < 3)
            lo = mid;
        else
            hi = mid;
        steps++;
    }
    printf("%.6f %d\n", lo, steps);
    return steps;
}
