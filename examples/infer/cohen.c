/* Integer division by Cohen. At vtrace1, the inner loop while it still doubles: b == y*a, x == q*y + r, r >= 2*y*a.
   Ask with `plumb infer cohen.c`. */
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int a, int b, int q, int r);

int mainQ(int x, int y) {
    vassume(x >= 1 && y >= 1);
    int q = 0, r = x;
    while (r >= y) {
        int a = 1, b = y;
        while (r >= 2 * b) {
            vtrace1(x, y, a, b, q, r);
            a = 2 * a;
            b = 2 * b;
        }
        r = r - b;
        q = q + a;
    }
    assert(x == q * y + r);
    return q;
}
