// Promotions of bit-fields, small types and constants.
#include <stdio.h>
#include <stdint.h>
#include <limits.h>
struct bf { unsigned a : 5; int b : 5; unsigned long c : 40; unsigned d : 32; long e : 33; _Bool f : 1; unsigned g : 31; };
int main(void) {
    struct bf x = { 31, -1, 0xffffffffffUL, 0xffffffffu, -5, 1, 0x7fffffff };
    printf("%d %d %d\n", x.a - 32 < 0, x.d - 1 > 0, x.g - 0x7fffffff - 1 < 0);
    printf("%d %d %d\n", x.b < x.a, x.b < x.d, x.e < (unsigned)1);
    x.b = 15;
    x.b++;
    printf("%d\n", x.b);
    x.a += 3;
    printf("%d\n", x.a);
    x.f = 2;
    printf("%d\n", x.f);
    x.f += 1;
    printf("%d\n", x.f);
    x.f--;
    printf("%d\n", x.f);
    printf("%d\n", (x.a = 40)); printf("%d\n", (x.b = 17));
    unsigned char c = 255; c++; printf("%d\n", c); c = 200; printf("%d %d %d\n", c + c, (unsigned char)(c + c), ~c);
    short s = -1;
    unsigned short us = 65535;
    printf("%d %d %d %d\n", s == us, s < us, s == (short)us, (unsigned)s == us);
    printf("%d %d %d\n", -1 < 1u, -1L < 1u, (unsigned char)-1 > -1);
    printf("%ld %lu %d\n", (long)UINT_MAX + 1, (unsigned long)-1, (int)3000000000u);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("%d %d\n", 1 ? -1 : 0u > 0, (1 ? -1 : 0u) > 0);
    printf("%zu %zu %zu %zu\n", sizeof(1 ? (char)1 : (short)1), sizeof('a'), sizeof((char)1 + (char)1), sizeof(1 ? 1 : 1L));
    printf("%lld %llu\n", 0x7fffffffffffffffLL, 18446744073709551615ULL);
    printf("%zu %zu %zu %zu %zu\n", sizeof 2147483648, sizeof 0x80000000, sizeof 0xffffffffff, sizeof 1u, sizeof 017777777777);
    printf("%d %d\n", _Generic(0x80000000, unsigned: 1, long: 2), _Generic(2147483648, unsigned: 1, long: 2));
    printf("%d %d %d\n", 3, _Generic(+x.a, int: 1, unsigned: 2), _Generic(+x.d, int: 1, unsigned: 2));
    printf("%d %d\n", (signed char)0x80 >> 7, (int8_t)200);
    
    printf("%d\n", (int)(char)0x181); _Bool b = 0.5; printf("%d %d %d\n", b, (_Bool)256, (_Bool)0.0);
    long double ld = 1.5L;
    printf("%d %g\n", (int)ld, (double)(ld * 2));
    float f = 16777217;
    printf("%g\n", f == 16777216.0f ? 1.0 : 0.0);
    printf("%d %d %d\n", (int)1e9f, (int)-1.9, 1);
    printf("%g %g\n", 0x1.8p3, 0x.8p-2f);
    printf("%d\n", 'ab');
    printf("%d %d %d\n", '\x80', '\0', L'\x80');
    printf("%u %d\n", 1u << 31, (int)(1u << 31)); printf("%d\n", -1 >> 1); printf("%d\n", !0.0 + !!5);
    enum { E1 = -1, E2 } e = E1;
    printf("%d %d %zu\n", e < 0, E2, sizeof(e));
    enum { U1 = 1 } u = U1;
    printf("%d %d\n", u - 2 < 0, -1 < (int)u);
    return 0;
}
