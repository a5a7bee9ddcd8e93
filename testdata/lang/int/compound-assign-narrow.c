// Compound assignment on narrow types computes in the promoted type and converts back.
#include <stdio.h>

int main(void) {
    unsigned char uc = 200;
    signed char sc = 100;
    short sh = 30000;
    unsigned short us = 60000;
    uc += 100;
    printf("%d\n", uc);
    uc *= 7;
    printf("%d\n", uc);
    uc -= 255;
    printf("%d\n", uc);
    uc /= 3;
    printf("%d\n", uc);
    uc %= 10;
    printf("%d\n", uc);
    sc += 100;
    printf("%d\n", sc);
    sc = 77;
    sc <<= 1;
    printf("%d\n", sc);
    sc >>= 2;
    printf("%d\n", sc);
    sh *= 3;
    printf("%d\n", sh);
    sh ^= 0x5555;
    printf("%d\n", sh);
    us += us;
    printf("%d\n", us);
    us |= 0xF;
    us &= ~1;
    printf("%d\n", us);
    uc = 10;
    uc *= 2.55;
    printf("%d\n", uc);
    int r = (uc += 3.9);
    printf("%d %d\n", uc, r);
    long l = 5;
    l <<= 33;
    l -= 1u;
    printf("%ld\n", l);
    return us % 113;
}
