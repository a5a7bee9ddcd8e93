//~ inputs: n=0..2000
//~ violated-by: n=4
//~ wrong: the root is one too small for exact squares
// Dijkstra's integer square root, bit by bit: q runs down the powers of four, p*p + r*q == n*q throughout.
#include <assert.h>

void vassume(int condition);
void vtrace1(int n, int p, int q, int r, int h);
void vtrace2(int n, int p, int q, int r, int h);

int mainQ(int n) {
    vassume(n >= 0);
    int p = 0, q = 1, r = n, h = 0;
    while (1) {
        vtrace1(n, p, q, r, h);
        if (!(q <= n)) break;
        q = 4 * q;
    }
    while (1) {
        vtrace2(n, p, q, r, h);
        if (!(q != 1)) break;
        q = q / 4;
        h = p + q;
        p = p / 2;
        if (r > h) {
            p = p + q;
            r = r - h;
        }
    }
    assert(p * p + r == n);
    assert(r >= 0);
    assert(n < (p + 1) * (p + 1));
    return p;
}
