// Integer promotions of char, short and _Bool in arithmetic and comparisons.
#include <stdio.h>

int main(void) {
    unsigned char a = 200, b = 100;
    signed char c = -5;
    unsigned short us = 65535;
    short s = -32768;
    _Bool flag = 1;

    printf("%d\n", a + b);
    printf("%d\n", (unsigned char)(a + b));
    printf("%d\n", c * a);
    printf("%d\n", us + 1);
    printf("%d\n", s - 1);
    printf("%d\n", flag + flag + flag);
    printf("%d\n", ~a);
    printf("%d\n", -us);
    printf("%d\n", (signed char)~a);
    printf("%d %d %d\n", (int)sizeof(a + b), (int)sizeof(a), (int)sizeof(+s));
    printf("%d\n", a > c);
    printf("%d\n", us > s);
    printf("%d\n", (unsigned char)c == 251);
    printf("%d\n", a << 4);
    printf("%d\n", us >> 4);
    return (a + b) % 126;
}
