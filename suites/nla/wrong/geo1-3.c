//~ inputs: z=-6..10 k=1..8
//~ violated-by: z=-1 k=8
//~ wrong: claims that the sum is never zero
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
        x = x * z + 1;
        y = y * z;
    }
    assert(x * (z - 1) == y - 1 && x != 0);
    return x;
}
