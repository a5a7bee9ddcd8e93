//~ inputs: a=0..300 b=0..300
// Product by shifting and adding.
#include <assert.h>

void vassume(int condition);
void vtrace1(int a, int b, int x, int y, int z);

int mainQ(int a, int b) {
    vassume(a >= 0);
    vassume(b >= 0);
    int x = a, y = b, z = 0;
    while (1) {
        vtrace1(a, b, x, y, z);
        if (!(y != 0)) break;
        if (y % 2 == 1) {
            z = z + x;
            y = y - 1;
        }
        x = 2 * x;
        y = y / 2;
    }
    assert(z == a * b);
    return z;
}
