// frexp, ldexp, modf, scalbn, and classification macros.
#include <math.h>
#include <stdio.h>

int main(void) {
    double v[] = {1, 0.5, 10, -0.3, 1e100, 0};
    for (int i = 0; i < 6; i++) {
        int e;
        double m = frexp(v[i], &e);
        double whole, part = modf(v[i], &whole);
        printf("%g = %.10g * 2^%d, back %g, parts %g %.10g\n", v[i], m, e, ldexp(m, e), whole > 1e20 ? 0 : whole, part);
    }
    printf("%g %g %g\n", ldexp(3, 4), ldexp(1, -3), scalbn(1.5, 2));
    double whole;
    printf("%g ", modf(-3.75, &whole));
    printf("%g\n", whole);
    printf("%d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, isfinite(INFINITY) != 0);
    printf("%d %d\n", isnormal(1.0) != 0, isnormal(1e-310) != 0);
    printf("%d %d\n", signbit(-1.0) != 0, signbit(1.0) != 0);
    printf("%d\n", fpclassify(0.0) == FP_ZERO);
    printf("%d\n", ilogb(1000.0));
    return (int)ldexp(1.25, 5);
}
