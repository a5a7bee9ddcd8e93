// NaN converted to an integer.
#include <math.h>
#include <stdio.h>

int main(void) {
    double x = NAN;
    printf("%d\n", x != x);
    long n = x; //~ ERROR bad-conversion
    printf("%ld\n", n);
    return 0;
}
