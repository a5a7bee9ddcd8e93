// A recursion that does not come to its end before the stack does.
#include <stdio.h>

static long depth(long n) {
#ifdef TWIN
    if (n == 1000)
        return 0;
#else
    if (n < 0)
        return 0;
#endif
    return depth(n + 1) + 1; //~ ERROR stack-exhausted
}

int main(void) {
    printf("%ld\n", depth(0));
    return 0;
}
