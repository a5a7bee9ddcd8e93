// Left and right shifts on signed and unsigned values of several widths.
#include <stdio.h>

int main(void) {
    unsigned u = 0x80000001u;
    int neg = -16;
    long l = 1;
    unsigned char c = 0x81;
    unsigned long long w = 0xF000000000000001ull;

    printf("%u %u %u\n", u << 1, u >> 1, u >> 31);
    printf("%d %d %d\n", neg >> 1, neg >> 2, neg >> 31);
    for (int i = 0; i < 63; i += 9)
        printf("%ld ", l << i);
    printf("\n");
    printf("%d %d\n", c << 1, c >> 1);
    c <<= 1;
    printf("%d\n", c);
    printf("%llx %llx %llx\n", w << 4, w >> 4, w >> 63);
    printf("%llx\n", w << 63);
    printf("%d\n", 1 << 30);
    printf("%u\n", 1u << 31);
    printf("%lu\n", 1ul << 40);
    /* The type of a shift is the type of its promoted left operand. */
    printf("%d %d\n", (int)sizeof(1 << 1ull), (int)sizeof(1ull << 1));
    int acc = 0;
    for (int i = 0; i < 32; i++)
        acc ^= (int)((u >> i) & 1u) << (i % 7);
    u <<= 3;
    u >>= 2;
    printf("%u %d\n", u, acc);
    return acc;
}
