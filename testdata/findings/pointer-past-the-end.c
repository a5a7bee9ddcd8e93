// Forming a pointer two past the end.
#include <stdio.h>

int main(void) {
    int a[4] = {1, 2, 3, 4};
    int *end = a + 4;
    printf("%d\n", (int)(end - a));
    int *beyond = end + 1; //~ ERROR out-of-bounds
    printf("%d\n", beyond != a);
    return 0;
}
