// The negation of INT_MIN does not fit.
#include <limits.h>
#include <stdio.h>

static int magnitude(int x) {
    return x < 0 ? -x : x; //~ ERROR signed-overflow
}

int main(void) {
    printf("%d\n", magnitude(-7));
    printf("%d\n", magnitude(INT_MIN));
    return 0;
}
