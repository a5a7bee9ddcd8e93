//~ inputs: z=-6..9 a=-20..20 k=1..7
// Geometric series with a factor: x is a * (1 + z + ... + z^(k-1)) and y is z^(k-1).
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int z, int a, int k);

int mainQ(int z, int a, int k) {
    vassume(k >= 1);
    int x = a, y = 1, c = 1;
    while (1) {
        vtrace1(x, y, z, a, k);
        if (!(c < k)) break;
        c = c + 1;
        x = x * z + a;
        y = y * z;
    }
    assert(z * x - x + a - a * z * y == 0);
    return x;
}
