// Reads a count and numbers, sorts them, prints statistics; a typical exercise program.
//~ stdin: 8\n5 3 -9 12\n0 7 7 1\n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n <= 0)
        return 1;
    int *a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1)
            return 2;
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
    long sum = 0;
    for (int i = 0; i < n; i++) {
        printf("%d%s", a[i], i + 1 < n ? ", " : "\n");
        sum += a[i];
    }
    double median = n % 2 ? a[n / 2] : (a[n / 2 - 1] + a[n / 2]) / 2.0;
    printf("mean %.3f median %.1f range %d\n", (double)sum / n, median, a[n - 1] - a[0]);
    free(a);
    return (int)sum;
}
