// errno after strtol and strtoul: ERANGE on overflow, untouched otherwise.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    long v = strtol("99999999999999999999", NULL, 10);
    printf("%d %d\n", v == LONG_MAX, errno == ERANGE);
    errno = 0;
    v = strtol("-99999999999999999999", NULL, 10);
    printf("%d %d\n", v == LONG_MIN, errno == ERANGE);
    errno = 0;
    v = strtol("123", NULL, 10);
    printf("%ld %d\n", v, errno);
    errno = 0;
    unsigned long u = strtoul("99999999999999999999", NULL, 10);
    printf("%d %d\n", u == ULONG_MAX, errno == ERANGE);
    errno = 0;
    double d = strtod("1e999", NULL);
    printf("%g %d\n", d, errno == ERANGE);
    errno = 5;
    int saved = errno;
    errno = 0;
    printf("%d %d\n", saved, errno);
    return ERANGE + EINVAL;
}
