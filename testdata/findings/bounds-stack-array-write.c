// A loop that runs one step too far on a stack array.
#include <stdio.h>

int main(void) {
    int a[8];
    for (int i = 0; i <= 8; i++)
        a[i] = i; //~ ERROR out-of-bounds
    printf("%d\n", a[0]);
    return 0;
}
