//~ inputs: x0=-50..50 x1=-50..50 x2=-50..50 x3=-50..50 x4=-50..50
//~ violated-by: x0=35 x1=32 x2=-46 x3=7 x4=-4
//~ wrong: the first exchange loses an element
// Odd-even transposition sort of 5 elements: 5 rounds that alternate between the pairs at even and at odd places.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x0, int x1, int x2, int x3, int x4, int y0, int y1, int y2, int y3, int y4);

int mainQ(int x0, int x1, int x2, int x3, int x4) {
    int y0 = x0, y1 = x1, y2 = x2, y3 = x3, y4 = x4, t;
    if (y0 > y1) {
        t = y0;
        y0 = y1;
        y1 = y0;
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
    if (y3 > y4) {
        t = y3;
        y3 = y4;
        y4 = t;
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
    if (y3 > y4) {
        t = y3;
        y3 = y4;
        y4 = t;
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
    vtrace1(x0, x1, x2, x3, x4, y0, y1, y2, y3, y4);
    assert(y0 <= y1 && y1 <= y2 && y2 <= y3 && y3 <= y4);
    assert(y0 <= x0 && y0 <= x1 && y0 <= x2 && y0 <= x3 && y0 <= x4);
    assert(y0 == x0 || y0 == x1 || y0 == x2 || y0 == x3 || y0 == x4);
    assert(y4 >= x0 && y4 >= x1 && y4 >= x2 && y4 >= x3 && y4 >= x4);
    assert(y4 == x0 || y4 == x1 || y4 == x2 || y4 == x3 || y4 == x4);
    return y0;
}
