//~ sample: {"colours": 4, "palette": [7, 9, 9, 200], "width": 3, "height": 2, "index": [[0, 1, 0], [3, 2, 1]]}
//~ variants: 24
//~ fields: colours, index, palette (slack)
/* A picture with a palette: entries stand in any order, twice, or unused. */
#include "plumb.h"

void palette(int colours, const unsigned char palette[colours], int width, int height, const int index[height][width],
             int *columns, unsigned char picture[height][width])
{
    *columns = width;
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) {
            assume(0 <= index[i][j] && index[i][j] < colours);
            picture[i][j] = palette[index[i][j]];
        }
}
