// INT_MIN and its neighbours are reached without overflow.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int low = -2147483647 - 1;
    printf("%d %d\n", low, low == INT_MIN);
    printf("%d %d\n", low / 1, low % 2);
    printf("%d %d\n", -(low + 1), INT_MAX - 1 + 1);
    printf("%ld\n", -(long)low);
    printf("%u\n", -(unsigned)low);
    return low / -1073741824;
}
