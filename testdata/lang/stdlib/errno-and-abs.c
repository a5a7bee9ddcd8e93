// abs family at the edges, div identities, and integer parsing loops with end pointers.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d %ld\n", abs(-INT_MAX), abs(0), labs(LONG_MIN + 1));
    for (int a = -7; a <= 7; a += 7)
        for (int b = -2; b <= 2; b += 4) {
            div_t d = div(a, b);
            printf("%d/%d=%d,%d ", a, b, d.quot, d.rem);
        }
    printf("\n");
    const char *p = "10 -20 0x1F 077 99999999999 end";
    char *end;
    long sum = 0;
    int n = 0;
    for (;; p = end) {
        errno = 0;
        long v = strtol(p, &end, 0);
        if (end == p)
            break;
        printf("%ld%s ", v, errno ? "!" : "");
        sum += v % 1000;
        n++;
    }
    printf("| rest%s\n", end);
    printf("%d %ld\n", n, sum);
    return n * 10 + (int)(sum % 10);
}
