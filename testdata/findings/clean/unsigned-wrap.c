// Unsigned arithmetic wraps by definition, also below zero and in loops that count down.
#include <stdio.h>

int main(void) {
    unsigned u = 0;
    u--;
    printf("%u\n", u);
    printf("%u\n", u * u);
    int n = 0;
    for (unsigned i = 3; i < 10; i--)
        n++;
    unsigned char c = 255;
    c++;
    printf("%d %d\n", n, c);
    return n;
}
