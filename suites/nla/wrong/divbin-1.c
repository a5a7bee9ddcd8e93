//~ inputs: A=0..300 B=1..30
//~ violated-by: A=72 B=9
//~ wrong: the first loop stops too early when a doubled divisor equals the dividend
// Binary division: the divisor is doubled until it exceeds the dividend, then halved again while the bits of the
// quotient are produced. Halving is exact because b is B times a power of two.
#include <assert.h>

void vassume(int condition);
void vtrace1(int A, int B, int q, int r, int b);
void vtrace2(int A, int B, int q, int r, int b);

int mainQ(int A, int B) {
    vassume(A >= 0);
    vassume(B >= 1);
    int q = 0, r = A, b = B;
    while (1) {
        vtrace1(A, B, q, r, b);
        if (!(r > b)) break;
        b = 2 * b;
    }
    while (1) {
        vtrace2(A, B, q, r, b);
        if (!(b != B)) break;
        q = 2 * q;
        b = b / 2;
        if (r >= b) {
            q = q + 1;
            r = r - b;
        }
    }
    assert(A == q * B + r);
    assert(r >= 0);
    assert(r < B);
    return q;
}
