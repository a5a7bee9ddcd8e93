// Classic bit tricks: parity, isqrt, Gray code, next power of two, interleave, subsets.
#include <stdint.h>
#include <stdio.h>

static int parity(uint32_t x) {
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    return 0x6996 >> (x & 15) & 1;
}
static uint32_t round_up(uint32_t x) {
    x--;
    for (int s = 1; s < 32; s *= 2)
        x |= x >> s;
    return x + 1;
}
static uint32_t isqrt(uint32_t n) {
    uint32_t r = 0;
    for (uint32_t b = 1u << 30; b; b >>= 2) {
        if (n >= r + b) {
            n -= r + b;
            r = (r >> 1) + b;
        } else {
            r >>= 1;
        }
    }
    return r;
}
static uint32_t spread(uint32_t x) {
    x = (x | x << 8) & 0x00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}
static uint32_t swap_bytes(uint32_t x) { return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24; }

int main(void) {
    for (uint32_t i = 0; i < 16; i++)
        printf("%d%u%u ", parity(i), i ^ i >> 1, isqrt(i * 7));
    printf("\n%u %u %u\n", round_up(5), round_up(64), round_up(1000000));
    printf("%u %x\n", isqrt(4294967295u), spread(0xABCD) | spread(0x1234) << 1);
    printf("%08x\n", swap_bytes(0x01020304));
    int subsets = 0;
    for (uint32_t m = 0x2D, s = m;; s = (s - 1) & m) {
        subsets++;
        if (!s)
            break;
    }
    int a = -9;
    int mask = a >> 31;
    printf("%d %d\n", subsets, (a + mask) ^ mask);
    printf("%d %d\n", __builtin_popcount(0xF0F0u), __builtin_ctz(40));
    return subsets + (int)isqrt(2000);
}
