// signed char, unsigned char and plain char behave differently with the high bit set.
#include <limits.h>
#include <stdio.h>

int main(void) {
    signed char s = (signed char)0xF0;
    unsigned char u = 0xF0;
    char plain = 'A';
    printf("%d %d %c %d\n", s, u, plain, plain);
    printf("%d %d\n", s >> 2, u >> 2);
    printf("%d %d\n", s < 0, u < 0);
    printf("%d\n", (int)s == (int)u);
    printf("%d %d %d\n", SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
    printf("%d\n", '\xff' == (char)0xff);
    printf("%d\n", (unsigned char)'\377');
    unsigned total = 0;
    for (int i = 0; i < 256; i++) {
        signed char c = (signed char)i;
        total += (unsigned)(c < 0 ? -c : c);
    }
    printf("%u\n", total);
    const char *text = "az\x80";
    printf("%d %d %d\n", text[0], text[1], (unsigned char)text[2]);
    return total % 100;
}
