//@ class: horn
//@ args: prove
//@ never: proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned char c = 0;
    int rounds = 0;
    while (__VERIFIER_nondet_int()) {
        c++;
        if (rounds < 400) rounds++;
    }
    assert(c <= rounds && rounds - c < 256);
    return 0;
}
