// Complex arithmetic by hand: roots of quadratics and the unit circle.
#include <math.h>
#include <stdio.h>

struct complex_number { double re, im; };

static struct complex_number mul(struct complex_number a, struct complex_number b) {
    return (struct complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static int roots(double a, double b, double c, struct complex_number out[2]) {
    double d = b * b - 4 * a * c;
    if (d >= 0) {
        out[0] = (struct complex_number){(-b - sqrt(d)) / (2 * a), 0};
        out[1] = (struct complex_number){(-b + sqrt(d)) / (2 * a), 0};
        return d == 0 ? 1 : 2;
    }
    out[0] = (struct complex_number){-b / (2 * a), -sqrt(-d) / (2 * a)};
    out[1] = (struct complex_number){out[0].re, -out[0].im};
    return 0;
}

int main(void) {
    double eq[][3] = {{1, -3, 2}, {1, 2, 1}, {1, 2, 5}, {2, 0, -8}};
    int code = 0;
    for (int i = 0; i < 4; i++) {
        struct complex_number r[2];
        int n = roots(eq[i][0], eq[i][1], eq[i][2], r);
        printf("%d: %.3f%+.3fi %.3f%+.3fi\n", n, r[0].re, r[0].im, r[1].re, r[1].im);
        code = code * 3 + n;
    }
    struct complex_number z = {cos(0.1), sin(0.1)}, w = {1, 0};
    for (int i = 0; i < 10; i++)
        w = mul(w, z);
    printf("%.6f %.6f\n", w.re, w.im);
    return code;
}
