// Pointers to arrays, arrays of pointers, and their arithmetic.
#include <stdio.h>

static int row_sum(int (*row)[4]) {
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += (*row)[i];
    return s;
}

static int (*pick(int (*rows)[4], int i))[4] { return rows + i; }

int main(void) {
    int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    int (*p)[4] = m;
    printf("%d %d %d\n", p[1][2], (*(p + 2))[3], *(*(p + 1) + 1));
    p++;
    printf("%d %td\n", (*p)[0], p - m);
    int (*whole)[3][4] = &m;
    printf("%d %d\n", (*whole)[2][0], (int)sizeof *whole);
    int *rows[3] = {m[2], m[0], m[1]};
    for (int i = 0; i < 3; i++)
        printf("%d ", rows[i][i]);
    printf("\n");
    for (int i = 0; i < 3; i++)
        printf("%d ", row_sum(&m[i]));
    printf("\n%d\n", (*pick(m, 2))[1]);
    char (*names)[6] = (char[3][6]){"alpha", "beta", "gamma"};
    for (int i = 0; i < 3; i++)
        printf("%s ", names[i]);
    printf("\n");
    int *flat = &m[0][0];
    printf("%d %d\n", flat[3], (int)(&m[2][1] - &m[2][0]));
    return row_sum(p);
}
