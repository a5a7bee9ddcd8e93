//~ inputs: k=0..25
//~ violated-by: k=23
//~ wrong: the loop stops early for one single input
// Sum of the first k fifth powers.
#include <assert.h>

void vassume(int condition);
void vtrace1(int k, int y, int x);

int mainQ(int k) {
    vassume(k >= 0);
    int y = 0, x = 0;
    while (1) {
        vtrace1(k, y, x);
        if (!(y < k - (k == 23))) break;
        y = y + 1;
        x = x + y * y * y * y * y;
    }
    assert(y == k);
    assert(12 * x == 2 * k * k * k * k * k * k + 6 * k * k * k * k * k + 5 * k * k * k * k - k * k);
    return x;
}
