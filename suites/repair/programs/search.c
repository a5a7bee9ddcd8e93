/* Where a number stands among sorted ones, or -1. Reads how many, the numbers, and the one that is wanted. */
#include <stdio.h>

int find(const int *a, int n, int wanted)
{
    int low = 0;
    int high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == wanted)
            return middle;
        if (a[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int a[64], n, i, wanted;
    if (scanf("%d", &n) != 1 || n < 0 || n > 64)
        return 1;
    for (i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1)
            return 1;
    if (scanf("%d", &wanted) != 1)
        return 1;
    printf("%d\n", find(a, n, wanted));
    return 0;
}
