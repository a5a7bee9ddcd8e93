// SHA-256 over several messages, with round constants derived from the roots of primes.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t k[64], start[8];

/* The first 32 bits of the fractional part of a root; 53 bits of mantissa hold them exactly. */
static uint32_t fraction_bits(double root) { return (uint32_t)((root - floor(root)) * 4294967296.0); }
static void constants(void) {
    int n = 0;
    for (uint64_t p = 2; n < 64; p++) {
        int prime = 1;
        for (uint64_t d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        k[n] = fraction_bits(cbrt((double)p));
        if (n < 8)
            start[n] = fraction_bits(sqrt((double)p));
        n++;
    }
}
static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }
static void block(uint32_t s[8], const uint8_t *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + w[i - 7] + (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
    }
    memcpy(v, s, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (ror(v[4], 6) ^ ror(v[4], 11) ^ ror(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t t2 = (ror(v[0], 2) ^ ror(v[0], 13) ^ ror(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        s[i] += v[i];
}
static unsigned digest(const char *msg) {
    uint32_t s[8];
    memcpy(s, start, sizeof s);
    size_t n = strlen(msg), left = n;
    for (; left >= 64; left -= 64, msg += 64)
        block(s, (const uint8_t *)msg);
    uint8_t tail[128] = {0};
    memcpy(tail, msg, left);
    tail[left] = 0x80;
    size_t total = left < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++)
        tail[total - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> (8 * i));
    for (size_t i = 0; i < total; i += 64)
        block(s, tail + i);
    for (int i = 0; i < 8; i++)
        printf("%08x", s[i]);
    printf("\n");
    return s[7];
}

int main(void) {
    constants();
    digest("");
    digest("abc");
    digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
    return (int)(digest("a message of more than sixty-four bytes, so that two full blocks are needed for it.") % 126);
}
