//~ inputs: x=0..300 y=0..300
// Product by halving both factors when both are even, four branches for the four parities.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int a, int b, int p, int q);

int mainQ(int x, int y) {
    vassume(x >= 0);
    vassume(y >= 0);
    int a = x, b = y, p = 1, q = 0;
    while (1) {
        vtrace1(x, y, a, b, p, q);
        if (!(a != 0 && b != 0)) break;
        if (a % 2 == 0 && b % 2 == 0) {
            a = a / 2;
            b = b / 2;
            p = 4 * p;
        } else if (a % 2 == 1 && b % 2 == 0) {
            a = a - 1;
            q = q + b * p;
        } else if (a % 2 == 0 && b % 2 == 1) {
            b = b - 1;
            q = q + a * p;
        } else {
            a = a - 1;
            b = b - 1;
            q = q + (a + b + 1) * p;
        }
    }
    assert(q == x * y);
    return q;
}
