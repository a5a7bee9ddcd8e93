/* Sorts numbers by insertion and says how many places they moved. */
#include <stdio.h>

static int sort(int *a, int n)
{
    int i, j, key;
    int moves = 0;
    for (i = 1; i < n; i++) {
        key = a[i];
        j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
            moves++;
        }
        a[j + 1] = key;
    }
    return moves;
}

int main(void)
{
    int a[64], n, i, moves;
    if (scanf("%d", &n) != 1 || n < 0 || n > 64)
        return 1;
    for (i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1)
            return 1;
    moves = sort(a, n);
    for (i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("(%d)\n", moves);
    return 0;
}
