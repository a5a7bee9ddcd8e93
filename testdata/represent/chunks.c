//~ sample: {"count": 3, "size": 2, "place": [4, 0, 2], "room": 7, "store": [3, 4, 5, 6, 1, 2, 0]}
//~ variants: 24
//~ fields: count, size, place, room, store (slack)
/* Chunks of equal size stand anywhere, in any order, with room between them. */
#include "plumb.h"

void chunks(int count, int size, const int place[count], int room, const unsigned char store[room],
            unsigned char text[count * size])
{
    assume(size >= 1);
    for (int c = 0; c < count; c++) {
        assume(0 <= place[c] && place[c] + size <= room);
        for (int j = 0; j < size; j++)
            text[size * c + j] = store[place[c] + j];
    }
}
