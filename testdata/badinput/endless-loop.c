// The loop never ends: the step budget or the wall-clock limit must stop it.
#include <stdio.h>

int main(void) {
    unsigned long n = 0;
    volatile int go = 1;
    puts("before the loop");
    while (go)
        n++;
    printf("%lu\n", n);
    return 0;
}
