/* Two phases: y stays 5 while x is below 5, then both grow. At vtrace1: 11 >= y >= 5, x <= y, max(0, x-5) >= y-5.
   No conjunction of linear facts proves y == 11 here; the max does. */
#include <assert.h>

void vtrace1(int x, int y);

int mainQ(int x) {
    int y = 5;
    if (x > y) x = y;
    while (1) {
        vtrace1(x, y);
        if (!(x <= 10)) break;
        if (x >= 5) y = y + 1;
        x = x + 1;
    }
    assert(y == 11);
    return y;
}
