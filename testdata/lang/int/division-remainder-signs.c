// Division truncates toward zero and the remainder takes the sign of the dividend.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int a[] = {7, -7, 7, -7, 0, 1, -1, INT_MAX, INT_MIN, INT_MIN};
    int b[] = {2, 2, -2, -2, 5, 9, 9, 10, 10, 2};
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        int q = a[i] / b[i], r = a[i] % b[i];
        printf("%d / %d = %d rest %d\n", a[i], b[i], q, r);
        if (q * b[i] + r != a[i])
            return 99;
        sum += r;
    }
    printf("%u %u\n", (unsigned)-7 / 2u, (unsigned)-7 % 5u);
    printf("%ld %ld\n", -100L / 7, -100L % 7);
    div_t d = div(-17, 5);
    ldiv_t ld = ldiv(17, -5);
    lldiv_t lld = lldiv(-1000000000000LL, 7);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, ld.quot, ld.rem, lld.quot, lld.rem);
    printf("%d %ld %lld\n", abs(-4), labs(-400000000000L), llabs(-5LL));
    return (sum & 63);
}
