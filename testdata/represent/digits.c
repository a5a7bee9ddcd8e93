//~ sample: {"d": [0, 1, 2, 3]}
//~ variants: 7
//~ fields: d
/* Signed digits: 123 is also 13 tens less 7. */
#include "plumb.h"

void digits(const int d[4], int *number)
{
    for (int i = 0; i < 4; i++)
        assume(-9 <= d[i] && d[i] <= 9);
    *number = 1000 * d[0] + 100 * d[1] + 10 * d[2] + d[3];
}
