//~ inputs: k=0..200
//~ violated-by: k=28
//~ wrong: multiplies by the bound instead of by the counter
// Sum of the first k squares.
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
        x = x + y * k;
    }
    assert(y == k);
    assert(6 * x == 2 * k * k * k + 3 * k * k + k);
    return x;
}
