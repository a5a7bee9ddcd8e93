// Adding to the largest int.
#include <limits.h>
#include <stdio.h>

static int next(int x) {
    return x + 1; //~ ERROR signed-overflow
}

int main(void) {
    printf("%d\n", next(41));
    printf("%d\n", next(INT_MAX));
    return 0;
}
