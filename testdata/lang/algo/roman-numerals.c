// Roman numerals both ways, checked for every number up to 3999.
#include <stdio.h>
#include <string.h>

static const struct { int v; const char *s; } part[] = {
    {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
    {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};

static char *to_roman(int n, char *out) {
    *out = '\0';
    for (unsigned i = 0; n; i++)
        for (; n >= part[i].v; n -= part[i].v)
            strcat(out, part[i].s);
    return out;
}
static int digit(char c) {
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    }
    return 0;
}
static int from_roman(const char *s) {
    int n = 0;
    for (; *s; s++)
        n += digit(s[0]) < digit(s[1]) ? -digit(s[0]) : digit(s[0]);
    return n;
}

int main(void) {
    char b[20];
    int probes[] = {1, 4, 9, 14, 40, 90, 400, 1987, 2024, 3999};
    for (int i = 0; i < 10; i++)
        printf("%d %s\n", probes[i], to_roman(probes[i], b));
    size_t longest = 0;
    int which = 0;
    for (int n = 1; n < 4000; n++) {
        if (from_roman(to_roman(n, b)) != n)
            return 1;
        if (strlen(b) > longest) {
            longest = strlen(b);
            which = n;
        }
    }
    printf("%zu %d\n", longest, which);
    return (int)longest;
}
