// Infinities, NaN, signed zero and denormals: comparisons, propagation and printing.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    double inf = INFINITY, nan = NAN, zero = 0.0;
    printf("%f %f %e %g\n", inf, -inf, inf, -inf);
    printf("%d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, isfinite(1.0) != 0);
    printf("%d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1);
    printf("%d %d\n", inf > DBL_MAX, -inf < -DBL_MAX);
    printf("%d\n", isnan(inf - inf) != 0);
    printf("%g %g\n", inf + 1, 1 / inf);
    printf("%d %d\n", zero == -zero, signbit(-zero) != 0);
    printf("%g\n", DBL_MAX * 2);
    printf("%g %g\n", DBL_MIN, DBL_MIN / 4);
    printf("%g\n", DBL_EPSILON);
    printf("%g %g\n", FLT_MAX, FLT_EPSILON);
    printf("%d %d %d\n", DBL_DIG, FLT_DIG, DBL_MANT_DIG);
    printf("[%5.1f] [%-6f] [%+f]\n", inf, inf, inf);
    printf("%d\n", !nan);
    printf("%d %d\n", nan ? 1 : 2, (_Bool)nan);
    double m = fmax(nan, 2.0);
    printf("%g %g\n", m, fmin(3.0, nan));
    float f = 1e30f;
    f *= f;
    printf("%g %d\n", f, isinf(f) != 0);
    return (isnan(nan) != 0) + 2 * (nan != nan) + 4 * (inf == inf);
}
