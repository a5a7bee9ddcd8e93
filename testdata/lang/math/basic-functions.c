// sqrt, pow, fabs, floor, ceil, round, trunc, fmod, hypot and cbrt on exact cases.
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("%g %g %g\n", sqrt(144), sqrt(2.25), sqrt(0));
    printf("%.12f %.6f\n", sqrt(2), sqrtf(3));
    printf("%g %g %g %g\n", pow(2, 10), pow(9, 0.5), pow(-2, 3), pow(5, 0));
    double v[] = {2.5, -2.5, 0.5, -0.5, 3.49, -3.51, 7, 1e15 + 0.5};
    for (int i = 0; i < 8; i++)
        printf("%g: %g %g %g %g %g\n", v[i], floor(v[i]), ceil(v[i]), round(v[i]), trunc(v[i]), fabs(v[i]));
    printf("%g %g %g %g\n", fmod(7.5, 2), fmod(-7.5, 2), fmod(7.5, -2), fmod(1, 0.25));
    printf("%g %g\n", hypot(3, 4), cbrt(27));
    printf("%ld %ld %lld %ld\n", lround(2.5), lround(-2.5), llround(1e10 + 0.4), lrint(3.5));
    printf("%g %g\n", fmax(2, 3), fmin(2, 3));
    printf("%g %g\n", copysign(3, -1), fdim(5, 3));
    printf("%g %g\n", rint(2.5), nearbyint(3.5));
    return (int)pow(3, 4);
}
