// The recursion never ends: the recursion budget must stop it before the host's stack does.
#include <stdio.h>

static unsigned long depth(unsigned long n) {
    volatile char frame[64];
    frame[n % 64] = 1;
    return depth(n + 1) + frame[n % 64];
}

int main(void) {
    printf("%lu\n", depth(0));
    return 0;
}
