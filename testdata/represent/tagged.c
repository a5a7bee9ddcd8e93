//~ sample: {"n": 4, "tag": [0, 1, 1, 0], "a": [1, 2, 3, 4], "b": [5, 6, 7, 8]}
//~ variants: 24
//~ fields: tag, a (slack), b (slack)
/* Each number comes from one of two arrays, as its tag says. */
#include "plumb.h"

void tagged(int n, const int tag[n], const int a[n], const int b[n], int *count, int y[n])
{
    *count = n;
    for (int i = 0; i < n; i++) {
        switch (tag[i]) {
        case 0:
            y[i] = a[i];
            break;
        case 1:
            y[i] = b[i];
            break;
        default:
            assume(0);
        }
    }
}
