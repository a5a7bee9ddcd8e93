// Matrix multiplication, power and identity with checksums.
#include <stdio.h>
#include <string.h>

#define N 8
typedef long matrix[N][N];

static void multiply(matrix a, matrix b, matrix out) {
    matrix t;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            long s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            t[i][j] = s % 1000003;
        }
    memcpy(out, t, sizeof t);
}
static void power(matrix m, unsigned e, matrix out) {
    matrix base;
    memcpy(base, m, sizeof base);
    memset(out, 0, sizeof(matrix));
    for (int i = 0; i < N; i++)
        out[i][i] = 1;
    for (; e; e >>= 1) {
        if (e & 1)
            multiply(out, base, out);
        multiply(base, base, base);
    }
}

int main(void) {
    matrix m, p, q;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = (i * 3 + j * 5) % 11;
    power(m, 10, p);
    memcpy(q, m, sizeof q);
    for (int i = 1; i < 10; i++)
        multiply(q, m, q);
    printf("%d\n", memcmp(p, q, sizeof p) == 0);
    long trace = 0;
    for (int i = 0; i < N; i++)
        trace += p[i][i];
    printf("%ld %ld %ld\n", p[0][0], p[N - 1][N - 1], trace);
    return (int)(trace % 126);
}
