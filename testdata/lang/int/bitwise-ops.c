// Bitwise operators, masks, and two's complement identities.
#include <stdint.h>
#include <stdio.h>

static unsigned popcount(uint64_t x) {
    unsigned n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

static uint32_t reverse_bits(uint32_t x) {
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
    return x << 16 | x >> 16;
}

static uint32_t rotl(uint32_t x, unsigned k) { return k == 0 ? x : x << k | x >> (32 - k); }

int main(void) {
    uint32_t x = 0xDEADBEEF;
    printf("%u %u %u\n", popcount(x), popcount(~0ull), popcount(0));
    printf("%08x\n", reverse_bits(x));
    for (unsigned k = 0; k < 32; k += 5)
        printf("%08x ", rotl(x, k));
    printf("\n");
    int a = -37;
    printf("%d %d %d\n", ~a + 1 == -a, a & 7, a | 7);
    printf("%d %d\n", a ^ -1, ~(a ^ -1));
    printf("%d\n", (a & -a));
    int swap1 = 12, swap2 = 99;
    swap1 ^= swap2;
    swap2 ^= swap1;
    swap1 ^= swap2;
    printf("%d %d\n", swap1, swap2);
    printf("%d\n", (x & 1u << 31) != 0);
    return (int)popcount(x) + 40;
}
