//@ class: closed
//@ args: prove
//@ never: proved
//@ twin: refuted assert
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    assert(__builtin_bswap32(x) != 0x11223344u);
    if (x) assert(__builtin_clz(x) != 31);
    assert(__builtin_popcount(x) < 32);
    return 0;
}
