//~ sample: {"a": 1, "b": 0, "c": 0, "d": 0, "x": 5, "z": 8}
//~ variants: 24
//~ fields: a, b, c, d, x, z
/* Connectives: either way of saying which of two numbers is meant. */
#include "plumb.h"

void flags(int a, int b, int c, int d, int x, int z, int *y)
{
    assume((a == 1 && !(b != 0)) || (c > 3 && d != 0 && c < 100));
    assume(-9 <= d && d <= 9 && (a || c));
    *y = a == 1 ? x : z;
}
