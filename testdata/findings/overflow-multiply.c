// A factorial in int overflows at thirteen.
#include <stdio.h>

int main(void) {
    int f = 1;
    for (int i = 1; i <= 13; i++)
        f *= i; //~ ERROR signed-overflow
    printf("%d\n", f);
    return 0;
}
