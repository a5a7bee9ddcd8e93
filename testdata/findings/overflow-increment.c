// Incrementing the largest int in a loop condition that never fails.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int n = 0;
    for (int i = INT_MAX - 3; i > 0; i++) //~ ERROR signed-overflow
        n++;
    printf("%d\n", n);
    return 0;
}
