//~ sample: {"n": 3, "upper": 0, "m": [[1, 0, 0], [2, 3, 0], [4, 5, 6]]}
//~ variants: 24
//~ fields: upper, m
/* A symmetric matrix, of which the upper or the lower half is stored. */
#include "plumb.h"

void triangle(int n, int upper, const int m[n][n], int *size, int y[n][n])
{
    *size = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (upper == 0)
                y[i][j] = j <= i ? m[i][j] : m[j][i];
            else
                y[i][j] = i <= j ? m[i][j] : m[j][i];
        }
}
