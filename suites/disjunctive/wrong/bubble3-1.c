//~ inputs: x0=-50..50 x1=-50..50 x2=-50..50
//~ violated-by: x0=33 x1=-25 x2=-33
//~ wrong: the last comparison is missing
// Bubble sort of 3 elements, unrolled: each pass carries the smallest of the rest to the front.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x0, int x1, int x2, int y0, int y1, int y2);

int mainQ(int x0, int x1, int x2) {
    int y0 = x0, y1 = x1, y2 = x2, t;
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
    assert(y0 <= x0 && y0 <= x1 && y0 <= x2);
    assert(y0 == x0 || y0 == x1 || y0 == x2);
    assert(y2 >= x0 && y2 >= x1 && y2 >= x2);
    assert(y2 == x0 || y2 == x1 || y2 == x2);
    return y0;
}
