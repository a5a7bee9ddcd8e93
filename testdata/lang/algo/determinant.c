// Determinant by cofactors in integers and by elimination in doubles; solving a linear system.
#include <math.h>
#include <stdio.h>

#define N 4

static long cofactor(int n, const long m[n][n]) {
    if (n == 1)
        return m[0][0];
    long det = 0;
    for (int c = 0; c < n; c++) {
        long minor[n - 1][n - 1];
        for (int i = 1; i < n; i++)
            for (int j = 0, k = 0; j < n; j++)
                if (j != c)
                    minor[i - 1][k++] = m[i][j];
        det += (c % 2 ? -1 : 1) * m[0][c] * cofactor(n - 1, (const long(*)[n - 1])minor);
    }
    return det;
}
static double solve(double a[N][N + 1], double x[N]) {
    double det = 1;
    for (int i = 0; i < N; i++) {
        int p = i;
        for (int r = i + 1; r < N; r++)
            if (fabs(a[r][i]) > fabs(a[p][i]))
                p = r;
        if (p != i) {
            det = -det;
            for (int c = 0; c <= N; c++) {
                double t = a[i][c];
                a[i][c] = a[p][c];
                a[p][c] = t;
            }
        }
        det *= a[i][i];
        for (int r = i + 1; r < N; r++) {
            double f = a[r][i] / a[i][i];
            for (int c = i; c <= N; c++)
                a[r][c] -= f * a[i][c];
        }
    }
    for (int i = N; i-- > 0;) {
        x[i] = a[i][N];
        for (int c = i + 1; c < N; c++)
            x[i] -= a[i][c] * x[c];
        x[i] /= a[i][i];
    }
    return det;
}

int main(void) {
    const long m[N][N] = {{2, -1, 3, 0}, {4, 1, -2, 5}, {-3, 2, 7, 1}, {1, 0, 2, -4}};
    const long want[N] = {1, 2, 3, 4};
    double a[N][N + 1], x[N];
    for (int i = 0; i < N; i++) {
        a[i][N] = 0;
        for (int j = 0; j < N; j++) {
            a[i][j] = (double)m[i][j];
            a[i][N] += (double)(m[i][j] * want[j]);
        }
    }
    long det = cofactor(N, m);
    printf("%ld %.6f\n", det, solve(a, x));
    printf("%.6f %.6f %.6f %.6f\n", x[0], x[1], x[2], x[3]);
    return (int)((det % 101 + 101) % 101);
}
