//~ inputs: A=1..999 R=1..32
//~ violated-by: A=33 R=6
//~ wrong: claims that 3 is never found as a divisor
// Factor of an odd number by Fermat, R being the square root rounded up, with one loop and two branches.
#include <assert.h>

void vassume(int condition);
void vtrace1(int A, int R, int u, int v, int r);

int mainQ(int A, int R) {
    vassume(A >= 1);
    vassume(R >= 1);
    vassume((R - 1) * (R - 1) < A);
    vassume(A <= R * R);
    vassume(A % 2 == 1);
    int u = 2 * R + 1, v = 1, r = R * R - A;
    while (1) {
        vtrace1(A, R, u, v, r);
        if (!(r != 0)) break;
        if (r > 0) {
            r = r - v;
            v = v + 2;
        } else {
            r = r + u;
            u = u + 2;
        }
    }
    assert((u - v) * (u + v - 2) == 4 * A);
    assert(u - v <= 2 || u - v > 6);
    return (u - v) / 2;
}
