//~ inputs: A=0..300 B=1..30
// Division as hardware does it: d = B * p is shifted left until it exceeds the dividend, then right again. Both
// halvings are exact because d and p are B and 1 times the same power of two.
#include <assert.h>

void vassume(int condition);
void vtrace1(int A, int B, int q, int r, int d, int p);
void vtrace2(int A, int B, int q, int r, int d, int p);

int mainQ(int A, int B) {
    vassume(A >= 0);
    vassume(B >= 1);
    int r = A, d = B, p = 1, q = 0;
    while (1) {
        vtrace1(A, B, q, r, d, p);
        if (!(r >= d)) break;
        d = 2 * d;
        p = 2 * p;
    }
    while (1) {
        vtrace2(A, B, q, r, d, p);
        if (!(p != 1)) break;
        d = d / 2;
        p = p / 2;
        if (r >= d) {
            r = r - d;
            q = q + p;
        }
    }
    assert(A == q * B + r);
    assert(d == B);
    assert(r >= 0);
    assert(r < B);
    return q;
}
