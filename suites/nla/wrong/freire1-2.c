//~ inputs: a=1..2000
//~ violated-by: a=1322
//~ wrong: takes away the next odd number instead of the even one
// Freire's square root, rounded to the nearest integer. The original keeps x = a/2 in a real number; here x is
// twice that value, so everything is an integer and a == x + r*r - r instead of a == 2*x + r*r - r.
#include <assert.h>

void vassume(int condition);
void vtrace1(int a, int x, int r);

int mainQ(int a) {
    vassume(a >= 1);
    int x = a, r = 0;
    while (1) {
        vtrace1(a, x, r);
        if (!(x > 2 * r)) break;
        x = x - 2 * r - 1;
        r = r + 1;
    }
    assert(a == x + r * r - r);
    assert(a > r * r - r);
    assert(a <= r * r + r);
    return r;
}
