// long double arithmetic whose results are exact, with %Lf and conversions.
#include <stdio.h>

int main(void) {
    long double a = 1.5L, b = 0.25L;
    printf("%Lf %Lg %.2Lf\n", a + b, a * b, a / b);
    double d = (double)(a - 4);
    printf("%g\n", d);
    int i = (int)(a * 10);
    printf("%d\n", i);
    printf("%d %d\n", a > b, a == 1.5);
    long double sum = 0;
    for (int k = 0; k < 8; k++)
        sum += 1.0L / (1 << k);
    printf("%.8Lf\n", sum);
    return i;
}
