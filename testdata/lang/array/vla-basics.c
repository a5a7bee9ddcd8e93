// Variable length arrays: sizes from values, sizeof at run time, in loops and in functions.
#include <stdio.h>

static int triangle(int n) {
    int row[n + 1];
    row[0] = 1;
    for (int i = 1; i <= n; i++)
        row[i] = 0;
    for (int r = 1; r <= n; r++)
        for (int i = r; i > 0; i--)
            row[i] += row[i - 1];
    int best = 0;
    for (int i = 0; i <= n; i++)
        if (row[i] > best)
            best = row[i];
    return best;
}

int main(void) {
    for (int n = 1; n <= 5; n++) {
        int a[n];
        char b[n * 3];
        for (int i = 0; i < n; i++)
            a[i] = i + n;
        for (int i = 0; i < n * 3; i++)
            b[i] = (char)('a' + i);
        printf("%zu %zu %d %c\n", sizeof a, sizeof b, a[n - 1], b[n * 3 - 1]);
    }
    printf("%d %d %d\n", triangle(4), triangle(9), triangle(14));
    int n = 3;
    double v[n];
    n = 10;
    printf("%zu\n", sizeof v / sizeof v[0]);
    for (int i = 0; i < 3; i++)
        v[i] = i / 2.0;
    double *p = v;
    printf("%g\n", p[0] + p[1] + p[2]);
    size_t s = sizeof(int[n]);
    printf("%zu\n", s);
    return (int)(s + sizeof v);
}
