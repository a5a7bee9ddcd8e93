//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <ucontext.h>
int main(void) {
    ucontext_t here;
    volatile int rounds = 0;
    int n = 0;
    getcontext(&here);
    n++;
    assert(n == 1);
    if (rounds++ == 0)
        setcontext(&here);
    return 0;
}
