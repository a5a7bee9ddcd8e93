//~ sample: {"n": 4, "reversed": 1, "gap": 2, "x": [4, 9, 9, 3, 9, 9, 2, 9, 9, 1, 9, 9]}
//~ variants: 24
//~ fields: reversed, gap, x (slack)
/* Numbers at a distance, forwards or backwards. */
#include "plumb.h"

void backwards(int n, int reversed, int gap, const int x[n * (gap + 1)], int *count, int y[n])
{
    int i;
    *count = n;
    assume(0 <= gap && gap <= 5);
    if (reversed != 0) {
        for (i = n - 1; i >= 0; i--)
            y[n - 1 - i] = x[(gap + 1) * i];
    } else {
        for (i = 0; i < n; i++)
            y[i] = x[(gap + 1) * i];
    }
}
