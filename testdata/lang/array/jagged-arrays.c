// Jagged arrays on the heap: rows of different lengths, growth and release.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 6;
    int **rows = malloc((size_t)n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc((size_t)(i + 1) * sizeof **rows);
        rows[i][0] = rows[i][i] = 1;
        for (int j = 1; j < i; j++)
            rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
    }
    int sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            printf("%d ", rows[i][j]);
            sum += rows[i][j];
        }
        printf("\n");
    }
    int *t = rows[0];
    rows[0] = rows[5];
    rows[5] = t;
    printf("%d %d\n", rows[0][2], rows[5][0]);
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    return sum;
}
