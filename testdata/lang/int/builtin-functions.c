// GNU builtins that programs use: popcount, clz, ctz, parity, bswap, expect, overflow checks, constant_p.
#include <limits.h>
#include <stdio.h>

int main(void) {
    unsigned v[] = {1u, 0x80u, 0xF0F0u, 0x80000000u, 0xFFFFFFFFu};
    for (int i = 0; i < 5; i++)
        printf("%d %d %d %d\n", __builtin_popcount(v[i]), __builtin_clz(v[i]), __builtin_ctz(v[i]), __builtin_parity(v[i]));
    printf("%d %d\n", __builtin_popcountll(0xFFFFFFFFFFull), __builtin_clzl(1ul));
    printf("%x %llx\n", __builtin_bswap32(0x11223344u), (unsigned long long)__builtin_bswap64(0x1122334455667788ull));
    int r;
    printf("%d ", __builtin_add_overflow(INT_MAX, 1, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_mul_overflow(1000, 1000, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_sub_overflow(-5, 7, &r));
    printf("%d\n", r);
    if (__builtin_expect(r < 0, 1))
        printf("expected\n");
    printf("%d %d\n", __builtin_ffs(40), __builtin_abs(-9));
    return __builtin_popcount(0x7F7Fu);
}
