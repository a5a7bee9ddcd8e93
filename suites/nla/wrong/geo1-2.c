//~ inputs: z=-6..10 k=1..8
//~ violated-by: z=7 k=7
//~ wrong: one term is off by one
// Geometric series: x is 1 + z + ... + z^(k-1) and y is z^k.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int z, int k);

int mainQ(int z, int k) {
    vassume(k >= 1);
    int x = 1, y = z, c = 1;
    while (1) {
        vtrace1(x, y, z, k);
        if (!(c < k)) break;
        c = c + 1;
        x = x * z + 1 + (z == 7 && c == 6);
        y = y * z;
    }
    assert(x * (z - 1) == y - 1);
    return x;
}
