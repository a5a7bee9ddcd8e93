//~ sample: {"interlaced": 0, "height": 5, "width": 2, "rows": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]}
//~ variants: 1
//~ fields: interlaced
/* Rows in order, or the even ones before the odd ones. */
#include "plumb.h"

void interlace(int interlaced, int height, int width, const unsigned char rows[height][width], int *lines,
               unsigned char picture[height][width])
{
    int k = 0;
    *lines = height;
    assume(interlaced == 0 || interlaced == 1);
    if (interlaced) {
        for (int i = 0; i < height; i += 2) {
            for (int j = 0; j < width; j++)
                picture[i][j] = rows[k][j];
            k = k + 1;
        }
        for (int i = 1; i < height; i += 2) {
            for (int j = 0; j < width; j++)
                picture[i][j] = rows[k][j];
            k = k + 1;
        }
    } else {
        for (int i = 0; i < height; i++)
            for (int j = 0; j < width; j++)
                picture[i][j] = rows[i][j];
    }
}
