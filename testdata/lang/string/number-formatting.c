// Hand-written number formatting in every base, compared with snprintf.
#include <limits.h>
#include <stdio.h>
#include <string.h>

static char *format(char *end, unsigned long v, unsigned base, int negative) {
    *--end = '\0';
    do
        *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[v % base];
    while (v /= base);
    if (negative)
        *--end = '-';
    return end;
}
static char *group(char *out, long v) {
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", v);
    char *o = out, *d = digits;
    if (*d == '-')
        *o++ = *d++;
    for (size_t n = strlen(d); *d; n--) {
        *o++ = *d++;
        if (n > 1 && n % 3 == 1)
            *o++ = ',';
    }
    *o = '\0';
    return out;
}

int main(void) {
    long v[] = {0, 7, -7, 255, 1000, 123456789, LONG_MAX, LONG_MIN};
    int same = 0;
    for (int i = 0; i < 8; i++) {
        char buf[72], ref[72], g[40];
        unsigned long u = v[i] < 0 ? 0ul - (unsigned long)v[i] : (unsigned long)v[i];
        char *s = format(buf + sizeof buf, u, 10, v[i] < 0);
        snprintf(ref, sizeof ref, "%ld", v[i]);
        same += strcmp(s, ref) == 0;
        printf("%s %s ", s, group(g, v[i]));
        s = format(buf + sizeof buf, u, 16, 0);
        snprintf(ref, sizeof ref, "%lx", u);
        same += strcmp(s, ref) == 0;
        printf("%s ", s);
        printf("%s ", format(buf + sizeof buf, u, 2, 0));
        printf("%s\n", format(buf + sizeof buf, u, 36, 0));
    }
    return same;
}
