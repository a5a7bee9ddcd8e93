/* Sorts three numbers by comparing neighbours in turn. At vtrace1: y0 == min(x0, x1, x2), y2 == max(x0, x1, x2).
   The comparisons make eight paths; the minimum and the maximum describe them all. */
#include <assert.h>

void vtrace1(int x0, int x1, int x2, int y0, int y1, int y2);

int mainQ(int x0, int x1, int x2) {
    int y0 = x0, y1 = x1, y2 = x2, t;
    if (y0 > y1) {
        t = y0;
        y0 = y1;
        y1 = t;
    }
    if (y1 > y2) {
        t = y1;
        y1 = y2;
        y2 = t;
    }
    if (y0 > y1) {
        t = y0;
        y0 = y1;
        y1 = t;
    }
    vtrace1(x0, x1, x2, y0, y1, y2);
    assert(y0 <= y1 && y1 <= y2);
    return y0;
}
