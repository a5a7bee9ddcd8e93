// Plain char unsigned: promotions, literals, bit-fields, comparisons.
//~ cflags: -funsigned-char
#include <stdio.h>
#include <limits.h>
#include <ctype.h>
#include <string.h>
int classify(int c) { return c < 0 ? -1 : c > 127; }
char g = -1; char s[] = "\377\200a"; const char *p = "\351";
struct b { char c : 3; signed char d : 3; } x = { 7, 7 };
int main(void) {
    char c = -1; c++; char d = 200; d += 100;
    printf("%d %d %d %d %d\n", g, c, d, '\377', '\377' == s[0]);
    printf("%d %d %d %d\n", CHAR_MIN, CHAR_MAX, classify(s[1]), classify(*p));
    printf("%d %d %d\n", x.c, x.d, (char)300 > 0);
    printf("%d %d %d\n", _Generic((char)0, signed char: 1, unsigned char: 2, char: 3), _Generic(&s[0], char *: 4, unsigned char *: 5), _Generic('a', int: 6, default: 7));
    for (int i = 0; s[i]; i++) printf("%d ", s[i]); printf("%d\n", 'ab' == ('a' << 8 | 'b'));
    int n = 0; for (char k = 250; k != 5; k++) n++; printf("%d %d\n", n, strcmp(s, p) > 0);
    long l = *p; unsigned u = *p; double f = *p; printf("%ld %u %g %d\n", l, u, f, *p >> 1);
    return 0;
}
