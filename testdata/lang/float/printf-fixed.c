// %f, %e and %g with widths, precisions and flags.
#include <stdio.h>

int main(void) {
    double v[] = {0.0, 1.0, -1.0, 3.14159265358979, 1234567.891, 0.000012345, 1e10, 1e-10, 123456789012345.0, 0.5, 2.5, 1.5, 99.995};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        printf("[%f] [%.0f] [%.2f] [%10.3f] [%-12.1f] [%+.3f]\n", v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%e] [%.0e] [%.3E] [%14.2e]\n", v[i], v[i], v[i], v[i]);
        printf("[%g] [%.3g] [%.10g] [%G] [%#g] [%#.0f]\n", v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%010.2f] [% f] [%*.*f]\n", v[i], v[i], 9, 1, v[i]);
    }
    printf("%.20f\n", 0.1);
    printf("%.30g\n", 0.1);
    printf("%f\n", 1e22);
    return printf("%.5f\n", 2.0 / 3);
}
