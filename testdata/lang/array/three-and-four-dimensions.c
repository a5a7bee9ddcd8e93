// Arrays of three and four dimensions, with nested initialisers and flattening.
#include <stdio.h>

static int cube[2][3][4] = {{{1, 2}, {3}, {4, 5, 6, 7}}, {{8}, {0}, {9, 9}}};
static short hyper[2][2][3][2];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++) {
                printf("%d ", cube[i][j][k]);
                sum += cube[i][j][k] * (i + j + k);
            }
            printf("\n");
        }
    int n = 0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 2; d++)
                    hyper[a][b][c][d] = (short)(n++ * 100);
    printf("%d %d %d\n", hyper[1][0][2][1], hyper[0][1][0][0], hyper[1][1][2][1]);
    printf("%d %d %d %d\n", (int)sizeof hyper, (int)sizeof *hyper, (int)sizeof **hyper, (int)sizeof ***hyper);
    short (*slab)[3][2] = hyper[1];
    printf("%d\n", slab[1][0][1]);
    int (*plane)[4] = cube[1];
    printf("%d %d\n", plane[2][0], **plane);
    printf("%d\n", sum);
    return sum % 126;
}
