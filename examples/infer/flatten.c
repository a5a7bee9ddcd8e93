/* Copies a matrix of M rows and N columns into a vector of M*N elements. At vtrace1: 0 <= k <= M*N - 1.
   That inequality of degree two is what keeps the write inside the vector. */
#include <assert.h>

void vassume(int condition);
void vtrace1(int M, int N, int i, int j, int k);

int mainQ(int M, int N) {
    int matrix[20][20], vector[400];
    vassume(1 <= M && M <= 20 && 1 <= N && N <= 20);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) matrix[i][j] = i - j;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            int k = i * N + j;
            vtrace1(M, N, i, j, k);
            vector[k] = matrix[i][j];
        }
    }
    assert(vector[M * N - 1] == M - N);
    return vector[0];
}
