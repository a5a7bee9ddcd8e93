//~ inputs: x=0..300 y=1..30
//~ violated-by: x=237 y=1
//~ wrong: the outer loop stops one step early when the divisor fits exactly
// Integer division by Cohen: in each round the largest multiple y * 2^i of the divisor that still fits is taken
// away from the remainder, and the quotient grows by 2^i.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int q, int r, int a, int b);
void vtrace2(int x, int y, int q, int r, int a, int b);

int mainQ(int x, int y) {
    vassume(x >= 0);
    vassume(y >= 1);
    int q = 0, r = x, a = 0, b = 0;
    while (1) {
        vtrace1(x, y, q, r, a, b);
        if (!(r > y)) break;
        a = 1;
        b = y;
        while (1) {
            vtrace2(x, y, q, r, a, b);
            if (!(r >= 2 * b)) break;
            a = 2 * a;
            b = 2 * b;
        }
        r = r - b;
        q = q + a;
    }
    assert(x == q * y + r);
    assert(r >= 0);
    assert(r < y);
    return q;
}
