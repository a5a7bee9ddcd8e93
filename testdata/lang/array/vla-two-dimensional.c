// Two- and three-dimensional VLAs, VLA parameters and pointers to VLAs.
#include <stdio.h>
#include <stdlib.h>

static long trace(int n, long m[n][n]) {
    long t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}

static void multiply(int n, int k, int m, long a[n][k], long b[k][m], long out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[i][j] = 0;
            for (int x = 0; x < k; x++)
                out[i][j] += a[i][x] * b[x][j];
        }
}

static int last(int rows, int cols, int (*p)[cols]) { return p[rows - 1][cols - 1] + (int)sizeof *p; }

int main(void) {
    int n = 3, k = 4;
    long a[n][k], b[k][n], c[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            a[i][j] = i * k + j;
            b[j][i] = i - j;
        }
    multiply(n, k, n, a, b, c);
    for (int i = 0; i < n; i++)
        printf("%ld %ld %ld\n", c[i][0], c[i][1], c[i][2]);
    printf("%ld %zu %zu\n", trace(n, c), sizeof a, sizeof a[0]);
    int (*heap)[k] = malloc(sizeof(int[n][k]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            heap[i][j] = i * 10 + j;
    printf("%d %zu\n", last(n, k, heap), sizeof heap[0]);
    int cube[n][2][k];
    cube[2][1][3] = 5;
    cube[0][0][0] = 6;
    printf("%zu %d\n", sizeof cube, cube[2][1][3] * cube[0][0][0]);
    free(heap);
    return (int)(trace(n, c) & 63);
}
