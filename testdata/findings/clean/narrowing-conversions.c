// Converting a value out of range to a narrower integer is defined by the implementation, not undefined.
#include <stdio.h>

int main(void) {
    signed char c = (signed char)200;
    short s = (short)70000;
    int i = (int)3000000000u;
    unsigned u = -5;
    char ch = 127;
    ch++;
    printf("%d %d %d %u %d\n", c, s, i, u, ch);
    printf("%d %d\n", (int)-0.9, (unsigned char)255.9);
    return s % 100;
}
