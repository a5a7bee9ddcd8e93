// INT_MIN modulo minus one is undefined as well.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int a = INT_MIN, b = -1;
    printf("%d\n", (a + 1) % b);
    int r = a % b; //~ ERROR signed-overflow
    printf("%d\n", r);
    return 0;
}
