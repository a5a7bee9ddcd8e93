//@ class: closed
//@ args: prove
//@ twin: proved assert
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned long y = __VERIFIER_nondet_ulong();
    int z = __VERIFIER_nondet_int();
    assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
    assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap64(y) >> 56 == (y & 255));
    if (x) {
        assert(x >> (31 - __builtin_clz(x)) == 1 && (x >> __builtin_ctz(x) & 1));
        assert(__builtin_ffs((int)x) == __builtin_ctz(x) + 1);
    }
    assert(__builtin_ffs(0) == 0 && __builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30);
    if (z >= 0 && z < 256) assert(__builtin_clrsb(z) >= 23);
    assert(__builtin_parity(x) == (__builtin_popcount(x) & 1));
    if (y) assert(__builtin_clzl(y) + __builtin_ctzl(y) <= 63);
    assert(__builtin_popcountl(y) <= 64);
    return 0;
}
