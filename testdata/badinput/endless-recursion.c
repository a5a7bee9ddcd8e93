// The recursion never ends: the stack of the program must be used up before the host's is.
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
