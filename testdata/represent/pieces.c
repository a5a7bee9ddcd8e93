//~ sample: {"count": 3, "size": [2, 1, 3], "start": [4, 0, 1], "room": 8, "x": [3, 4, 5, 6, 1, 2, 0, 0]}
//~ variants: 24
//~ fields: start, room, x (slack)
/* Pieces of different sizes, which stand anywhere. */
#include "plumb.h"

void pieces(int count, const int size[count], const int start[count], int room, const int x[room],
            int *number, int sizes[count], int y[PLUMB_SUM(i, count, size[i])])
{
    int k = 0;
    *number = count;
    for (int p = 0; p < count; p++) {
        sizes[p] = size[p];
        assume(1 <= size[p]);
        for (int j = 0; j < size[p]; j++) {
            y[k] = x[start[p] + j];
            k = k + 1;
        }
    }
}
