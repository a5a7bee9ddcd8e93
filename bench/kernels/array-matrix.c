// Kernel: multiplication of square matrices of doubles; the count is the number of products.
#include <stdio.h>
#include <stdlib.h>

#define N 96
static double a[N][N], b[N][N], c[N][N];

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j) % 10 / 10.0;
            b[i][j] = (i + j * 3) % 10 / 10.0;
        }
    double sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double s = 0;
                for (int k = 0; k < N; k++)
                    s += a[i][k] * b[k][j];
                c[i][j] = s;
            }
        a[r % N][r % N] = c[0][0] / N;
        sum += c[r % N][N - 1 - r % N];
    }
    printf("%.6f\n", sum);
    return 0;
}
