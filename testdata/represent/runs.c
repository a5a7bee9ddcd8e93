//~ sample: {"runs": 3, "length": [2, 1, 3], "value": [7, 8, 7]}
//~ variants: 7
//~ fields: runs, length, value
/* Run lengths: a run may be cut in two. */
#include "plumb.h"

void runs(int runs, const int length[runs], const unsigned char value[runs],
          unsigned char text[PLUMB_SUM(i, runs, length[i])])
{
    int k = 0;
    for (int r = 0; r < runs; r++) {
        assume(1 <= length[r]);
        for (int j = 0; j < length[r]; j++) {
            text[k] = value[r];
            k = k + 1;
        }
    }
}
