// The column index leaves the whole matrix in the last row.
#include <stdio.h>

int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int row = 1, sum = 0;
    for (int c = 0; c < 4; c++)
        sum += m[row][c]; //~ ERROR out-of-bounds
    printf("%d\n", sum);
    return 0;
}
