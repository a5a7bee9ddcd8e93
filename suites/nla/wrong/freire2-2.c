//~ inputs: a=1..2000
//~ violated-by: a=1158
//~ wrong: the loop stops one step early for some numbers
// Freire's cube root, rounded to the nearest integer. The original keeps x = a and s = 13/4 in real numbers; here
// x and s are four times those values, so everything is an integer.
#include <assert.h>

void vassume(int condition);
void vtrace1(int a, int x, int r, int s);

int mainQ(int a) {
    vassume(a >= 1);
    int x = 4 * a, r = 1, s = 13;
    while (1) {
        vtrace1(a, x, r, s);
        if (!(x - s > 4)) break;
        x = x - s;
        s = s + 24 * r + 12;
        r = r + 1;
    }
    assert(4 * r * r * r - 6 * r * r + 3 * r + x - 4 * a == 1);
    assert(4 * r * r * r - 6 * r * r + 3 * r - 1 < 4 * a);
    assert(4 * a <= 4 * r * r * r + 6 * r * r + 3 * r);
    return r;
}
