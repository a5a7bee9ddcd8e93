//~ inputs: k=0..100
//~ violated-by: k=20
//~ wrong: the formula has the wrong sign
// Sum of the first k cubes.
#include <assert.h>

void vassume(int condition);
void vtrace1(int k, int y, int x);

int mainQ(int k) {
    vassume(k >= 0);
    int y = 0, x = 0;
    while (1) {
        vtrace1(k, y, x);
        if (!(y < k)) break;
        y = y + 1;
        x = x + y * y * y;
    }
    assert(y == k);
    assert(4 * x == k * k * k * k + 2 * k * k * k - k * k);
    return x;
}
