//~ inputs: x1=0..150 x2=1..30
//~ violated-by: x1=89 x2=30
//~ wrong: the bound of the remainder is one too small, for the largest divisor only
// Manna's integer division: counts x1 down to 0, and y2 up to the divisor, whenever it gets there the quotient grows.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x1, int x2, int y1, int y2, int y3);

int mainQ(int x1, int x2) {
    vassume(x1 >= 0);
    vassume(x2 >= 1);
    int y1 = 0, y2 = 0, y3 = x1;
    while (1) {
        vtrace1(x1, x2, y1, y2, y3);
        if (!(y3 != 0)) break;
        if (y2 + 1 == x2) {
            y1 = y1 + 1;
            y2 = 0;
            y3 = y3 - 1;
        } else {
            y2 = y2 + 1;
            y3 = y3 - 1;
        }
    }
    assert(x1 == y1 * x2 + y2);
    assert(y2 >= 0);
    assert(y2 < x2 - 1 || x2 < 30);
    return y1;
}
