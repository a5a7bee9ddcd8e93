// float and double arithmetic, rounding to float, and mixed expressions.
#include <stdio.h>

int main(void) {
    float f = 0.1f;
    double d = 0.1;
    printf("%.9g %.17g\n", f, d);
    printf("%d\n", f == d);
    printf("%.9g %.17g\n", f + f + f, d + d + d);
    printf("%d\n", d + d + d == 0.3);
    float sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += 0.001f;
    printf("%.7f\n", sum);
    double dsum = 0;
    for (int i = 1; i <= 100; i++)
        dsum += 1.0 / i;
    printf("%.12f\n", dsum);
    printf("%g %g %g\n", 7 / 2.0, 7 / 2 * 1.0, -7.5 / 2);
    float big = 16777216.0f;
    big += 1.0f;
    printf("%.1f\n", big);
    double h = 1.0;
    int steps = 0;
    while (1.0 + h != 1.0) {
        h /= 2;
        steps++;
    }
    printf("%d\n", steps);
    f = 1.0f / 3.0f;
    printf("%.9g %.9g\n", f * 3.0f, (double)f * 3.0);
    d = -0.0;
    printf("%g %d\n", d, d == 0.0);
    double x = 2.0;
    for (int i = 0; i < 6; i++)
        x = x - (x * x - 2) / (2 * x);
    printf("%.15f\n", x);
    return steps;
}
