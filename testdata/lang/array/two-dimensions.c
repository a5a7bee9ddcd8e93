// Two-dimensional arrays: transposition, row and column sums, passing with a fixed inner size.
#include <stdio.h>

#define R 4
#define C 5

static void fill(int m[][C]) {
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            m[i][j] = (i + 1) * (j + 2) % 7;
}

static int column(int m[R][C], int j) {
    int s = 0;
    for (int i = 0; i < R; i++)
        s += m[i][j];
    return s;
}

int main(void) {
    int m[R][C], t[C][R];
    fill(m);
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            t[j][i] = m[i][j];
    for (int i = 0; i < C; i++) {
        for (int j = 0; j < R; j++)
            printf("%d ", t[i][j]);
        printf("| %d\n", column(m, i));
    }
    printf("%d %d %d\n", (int)sizeof m, (int)sizeof m[0], (int)sizeof m[0][0]);
    char grid[3][8] = {"..#..", "#.#", ""};
    for (int i = 0; i < 3; i++)
        printf("[%s]", grid[i]);
    printf("\n");
    grid[2][0] = grid[0][2];
    grid[2][1] = 0;
    printf("%s %d\n", grid[2], grid[1][7]);
    int trace = 0;
    for (int i = 0; i < R; i++)
        trace += m[i][i];
    return trace;
}
