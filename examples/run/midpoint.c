/* A binary search that was right for twenty years, until arrays grew: the sum of two indices overflows.
   Compiled, it prints a plausible number. */
#include <stdio.h>

static int midpoint(int low, int high) {
    return (low + high) / 2;
}

int main(void) {
    printf("middle of 0 and 1000: %d\n", midpoint(0, 1000));
    printf("middle of 1500000000 and 2000000000: %d\n", midpoint(1500000000, 2000000000));
    return 0;
}
