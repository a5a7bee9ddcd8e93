//~ sample: {"right": 0, "size": 9, "length": 5, "field": [104, 101, 108, 108, 111, 32, 32, 32, 32]}
//~ variants: 24
//~ fields: right, size, field (slack)
/* A string in a field of fixed size, at its left or right end. */
#include "plumb.h"

void field(int right, int size, int length, const char field[size], int *used, char text[length])
{
    int start = 0;
    *used = length;
    assume(0 <= length && length <= size && size <= 12);
    if (right)
        start = size - length;
    for (int i = 0; i < length; i++)
        text[i] = field[start + i];
}
