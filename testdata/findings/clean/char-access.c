// Any object may be read and written byte by byte through unsigned char.
#include <stdio.h>

int main(void) {
    double d = 1.0;
    unsigned char *b = (unsigned char *)&d;
    int set = 0;
    for (unsigned i = 0; i < sizeof d; i++)
        set += b[i] != 0;
    b[7] |= 0x80;
    printf("%d %g\n", set, d);
    int x = 0;
    for (unsigned i = 0; i < sizeof x; i++)
        ((unsigned char *)&x)[i] = (unsigned char)(i + 1);
    printf("%x\n", x);
    return set;
}
