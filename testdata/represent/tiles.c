//~ sample: {"h": 4, "w": 4, "tiled": 0, "x": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}
//~ variants: 24
//~ fields: tiled
/* Rows, or squares of two by two. */
#include "plumb.h"
void tiles(int h, int w, int tiled, const unsigned char x[h * w], int *rows, int *columns, unsigned char picture[h][w])
{
    *rows = h;
    *columns = w;
    assume(h % 2 == 0 && w % 2 == 0);
    if (tiled)
        for (int a = 0; a < h; a += 2)
            for (int b = 0; b < w; b += 2)
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++)
                        picture[a + i][b + j] = x[a * w + 2 * b + 2 * i + j];
    else
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                picture[i][j] = x[w * i + j];
}
