// Trigonometric, exponential and logarithmic functions rounded to few digits.
#include <math.h>
#include <stdio.h>

int main(void) {
    for (int i = -3; i <= 3; i++) {
        double x = i * 0.7;
        printf("%.6f %.6f %.6f %.6f\n", sin(x), cos(x), tan(x), atan(x));
        printf("%.6f %.6f %.6f\n", exp(x), sinh(x), tanh(x));
    }
    for (double x = 0.5; x < 100; x *= 3)
        printf("%.6f %.6f %.6f\n", log(x), log10(x), log2(x));
    printf("%.6f %.6f %.6f\n", asin(0.5), acos(0.5), atan2(-1, -1));
    printf("%.6f %.6f\n", expm1(0.001), log1p(0.001));
    printf("%.6f %.6f\n", pow(1.5, 2.5), exp2(0.5));
    printf("%.4f %.4f\n", sinf(1), expf(1));
    return (int)(100 * sin(1));
}
