// Summing an array of which one element was skipped.
#include <stdio.h>

int main(void) {
    int a[6], sum = 0;
    for (int i = 0; i < 6; i++)
        if (i != 4)
            a[i] = i;
    for (int i = 0; i < 6; i++)
        sum += a[i]; //~ ERROR uninitialised-read
    printf("%d\n", sum);
    return 0;
}
