//~ inputs: x0=-50..50 x1=-50..50 x2=-50..50 x3=-50..50
//~ violated-by: x0=-46 x1=32 x2=-15 x3=-2
//~ wrong: claims that the first element is never the smallest
// Odd-even transposition sort of 4 elements: 4 rounds that alternate between the pairs at even and at odd places.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x0, int x1, int x2, int x3, int y0, int y1, int y2, int y3);

int mainQ(int x0, int x1, int x2, int x3) {
    int y0 = x0, y1 = x1, y2 = x2, y3 = x3, t;
    if (y0 > y1) {
        t = y0;
        y0 = y1;
        y1 = t;
    }
    if (y2 > y3) {
        t = y2;
        y2 = y3;
        y3 = t;
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
    if (y2 > y3) {
        t = y2;
        y2 = y3;
        y3 = t;
    }
    if (y1 > y2) {
        t = y1;
        y1 = y2;
        y2 = t;
    }
    vtrace1(x0, x1, x2, x3, y0, y1, y2, y3);
    assert(y0 <= y1 && y1 <= y2 && y2 <= y3);
    assert(y0 < x0 && y0 <= x1 && y0 <= x2 && y0 <= x3);
    assert(y0 == x0 || y0 == x1 || y0 == x2 || y0 == x3);
    assert(y3 >= x0 && y3 >= x1 && y3 >= x2 && y3 >= x3);
    assert(y3 == x0 || y3 == x1 || y3 == x2 || y3 == x3);
    return y0;
}
