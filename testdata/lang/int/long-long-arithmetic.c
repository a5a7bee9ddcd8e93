// 64-bit multiplication, division and modular exponentiation.
#include <stdint.h>
#include <stdio.h>

static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) {
    uint64_t r = 0;
    a %= m;
    while (b) {
        if (b & 1)
            r = (r + a) % m;
        a = (a + a) % m;
        b >>= 1;
    }
    return r;
}

static uint64_t powmod(uint64_t a, uint64_t e, uint64_t m) {
    uint64_t r = 1;
    for (; e; e >>= 1) {
        if (e & 1)
            r = mulmod(r, a, m);
        a = mulmod(a, a, m);
    }
    return r;
}

int main(void) {
    uint64_t p = 1000000007ull;
    printf("%llu\n", (unsigned long long)powmod(3, 1000000006ull, p));
    printf("%llu\n", (unsigned long long)powmod(2, 123456789ull, 4611686018427387847ull));
    long long f = 1;
    for (int i = 2; i <= 20; i++)
        f *= i;
    printf("%lld %lld %lld\n", f, f / 1000003, f % 1000003);
    printf("%lld\n", -f / 999 + f % -77);
    unsigned long long h = 14695981039346656037ull;
    for (const char *s = "plumbline"; *s; s++) {
        h ^= (unsigned char)*s;
        h *= 1099511628211ull;
    }
    printf("%016llx\n", h);
    return (int)(h % 101);
}
