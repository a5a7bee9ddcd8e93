//@ class: horn
//@ args: prove
//@ twin: proved assert
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned y = __VERIFIER_nondet_uint(), old = 0;
    int lock = 0;
    do {
        lock = 1;
        old = y;
        if (__VERIFIER_nondet_uint()) {
            lock = 0;
            y++;
        }
    } while (old != y);
    assert(lock);
    return 0;
}
