// Bits, hashes and wrapping counters.
#include <stdint.h>
int popcount(uint32_t x) {
    int count = 0;
    while (x) {
        x &= x - 1;
        count++;
    }
    return count;
}

int leading_zeros(uint32_t x) {
    int n = 32;
    while (x) {
        x >>= 1;
        n--;
    }
    return n;
}

uint32_t round_up_to_power(uint32_t x) {
    if (x == 0) return 1;
    x--;
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return x + 1;
}

uint8_t reverse_byte(uint8_t b) {
    uint8_t r = 0;
    for (int i = 0; i < 8; i++) {
        r = (uint8_t)(r << 1 | (b & 1));
        b >>= 1;
    }
    return r;
}

uint32_t hash_step(uint32_t h, uint8_t c) { return h * 31 + c; }

uint16_t checksum_step(uint16_t sum, uint16_t word) {
    uint32_t wide = (uint32_t)sum + word;
    return (uint16_t)(wide + (wide >> 16));
}

unsigned ring_used(unsigned head, unsigned tail) { return (head - tail) % 8; }

uint8_t saturating_add(uint8_t a, uint8_t b) {
    unsigned sum = a + b;
    return sum > 255 ? 255 : sum;
}

int16_t sign_extend(uint16_t value) { return (int16_t)((value & 0xFFF) - ((value & 0x800) << 1)); }

uint32_t gray(uint32_t n) { return n ^ n >> 1; }

uint32_t rotate_left(uint32_t x, unsigned n) {
    n &= 31;
    return n ? x << n | x >> (32 - n) : x;
}

int parity(uint8_t b) {
    b ^= b >> 4;
    b ^= b >> 2;
    b ^= b >> 1;
    return b & 1;
}

uint32_t lcg(uint32_t state) { return state * 1664525u + 1013904223u; }
