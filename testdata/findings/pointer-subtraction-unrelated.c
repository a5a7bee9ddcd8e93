// The difference of pointers into different objects.
#include <stdio.h>

int main(void) {
    int a[4] = {0}, b[4] = {0};
    int *p = a + 1, *q = b + 3;
    printf("%d\n", (int)(p - a));
    long distance = q - p; //~ ERROR invalid-pointer
    printf("%d\n", distance != 0);
    return 0;
}
