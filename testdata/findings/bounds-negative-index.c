// Reading before the start of an array.
#include <stdio.h>

int main(void) {
    int a[4] = {1, 2, 3, 4};
    int i = 3, sum = 0;
    while (i >= -1)
        sum += a[i--]; //~ ERROR out-of-bounds
    printf("%d\n", sum);
    return 0;
}
