/* A flag that says exactly when y is above 10. At vtrace1: 1 >= b >= 0, max(y-10, 0) >= b, b + 10 >= min(y, 11).
   A max and a min together say "if and only if". */
#include <assert.h>

void vtrace1(int x, int y, int b);

int mainQ(int x) {
    int y;
    if (x >= 0)
        y = x + 1;
    else
        y = x - 1;
    int b = y > 10;
    vtrace1(x, y, b);
    assert((b == 0) == (y <= 10));
    return b;
}
