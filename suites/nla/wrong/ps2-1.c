//~ inputs: k=0..300
//~ violated-by: k=45
//~ wrong: the loop makes one step too many
// Sum of the first k numbers.
#include <assert.h>

void vassume(int condition);
void vtrace1(int k, int y, int x);

int mainQ(int k) {
    vassume(k >= 0);
    int y = 0, x = 0;
    while (1) {
        vtrace1(k, y, x);
        if (!(y <= k)) break;
        y = y + 1;
        x = x + y;
    }
    assert(y == k);
    assert(2 * x == k * k + k);
    return x;
}
