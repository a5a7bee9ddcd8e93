// INT_MIN divided by minus one does not fit.
#include <limits.h>
#include <stdio.h>

static int divide(int a, int b) {
    return a / b; //~ ERROR signed-overflow
}

int main(void) {
    printf("%d\n", divide(10, -1));
    printf("%d\n", divide(INT_MIN, -1));
    return 0;
}
