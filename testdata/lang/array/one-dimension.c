// One-dimensional arrays: initialisers, sizeof, decay, passing and copying.
#include <stdio.h>

static int sum(const int a[], int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static void scale(int a[static 3], int k) {
    a[0] *= k;
    a[1] *= k;
    a[2] *= k;
}

int main(void) {
    int a[] = {1, 2, 3, 4, 5};
    int zero[8] = {0};
    int partial[6] = {9, 8};
    char c[] = {'x', 'y'};
    printf("%d %d %d\n", (int)sizeof a, (int)(sizeof a / sizeof a[0]), (int)sizeof c);
    printf("%d %d %d\n", sum(a, 5), sum(zero, 8), sum(partial, 6));
    scale(a, 10);
    scale(a + 2, 2);
    for (int i = 0; i < 5; i++)
        printf("%d ", a[i]);
    printf("\n");
    for (int i = 0; i < 8; i++)
        zero[i] = i * i;
    for (int i = 7; i > 0; i--)
        zero[i] -= zero[i - 1];
    printf("%d %d\n", zero[7], sum(zero, 8));
    int sorted[10], n = 0;
    for (int i = 0; i < 10; i++) {
        int v = i * 7 % 10, j = n++;
        for (; j > 0 && sorted[j - 1] > v; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = v;
    }
    for (int i = 0; i < 10; i++)
        printf("%d", sorted[i]);
    printf("\n");
    return sum(partial, 2) + a[2];
}
