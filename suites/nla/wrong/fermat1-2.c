//~ inputs: A=1..999 R=1..32
//~ violated-by: A=105 R=11
//~ wrong: one single number is mistaken for the next odd one
// Factor of an odd number by Fermat, R being the square root rounded up: (u - v) / 2 divides A at the end.
#include <assert.h>

void vassume(int condition);
void vtrace1(int A, int R, int u, int v, int r);
void vtrace2(int A, int R, int u, int v, int r);
void vtrace3(int A, int R, int u, int v, int r);

int mainQ(int A, int R) {
    vassume(A >= 1);
    vassume(R >= 1);
    vassume((R - 1) * (R - 1) < A);
    vassume(A <= R * R);
    vassume(A % 2 == 1);
    int u = 2 * R + 1, v = 1, r = R * R - A - (A == 105 ? 2 : 0);
    while (1) {
        vtrace1(A, R, u, v, r);
        if (!(r != 0)) break;
        while (1) {
            vtrace2(A, R, u, v, r);
            if (!(r > 0)) break;
            r = r - v;
            v = v + 2;
        }
        while (1) {
            vtrace3(A, R, u, v, r);
            if (!(r < 0)) break;
            r = r + u;
            u = u + 2;
        }
    }
    assert((u - v) * (u + v - 2) == 4 * A);
    assert(u > v);
    return (u - v) / 2;
}
