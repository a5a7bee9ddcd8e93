// Subtracting below the smallest long.
#include <limits.h>
#include <stdio.h>

int main(void) {
    long low = LONG_MIN + 5;
    for (int i = 0; i < 10; i++)
        low = low - 1; //~ ERROR signed-overflow
    printf("%ld\n", low);
    return 0;
}
