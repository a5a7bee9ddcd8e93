//~ inputs: x=1..200 y=1..200
// Extended Euclid whose inner division doubles the subtrahend as in cohendiv: v == b*d.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int a, int b, int p, int q, int r, int s, int c, int k, int d, int v);
void vtrace2(int x, int y, int a, int b, int p, int q, int r, int s, int c, int k, int d, int v);
void vtrace3(int x, int y, int a, int b, int p, int q, int r, int s, int c, int k, int d, int v);

int mainQ(int x, int y) {
    vassume(x >= 1);
    vassume(y >= 1);
    int a = x, b = y, p = 1, q = 0, r = 0, s = 1, c = 0, k = 0, d = 0, v = 0;
    while (1) {
        vtrace1(x, y, a, b, p, q, r, s, c, k, d, v);
        if (!(b != 0)) break;
        c = a;
        k = 0;
        while (1) {
            vtrace2(x, y, a, b, p, q, r, s, c, k, d, v);
            if (!(c >= b)) break;
            d = 1;
            v = b;
            while (1) {
                vtrace3(x, y, a, b, p, q, r, s, c, k, d, v);
                if (!(c >= 2 * v)) break;
                d = 2 * d;
                v = 2 * v;
            }
            c = c - v;
            k = k + d;
        }
        a = b;
        b = c;
        int t = p;
        p = q;
        q = t - q * k;
        t = r;
        r = s;
        s = t - s * k;
    }
    assert(a == p * x + r * y);
    assert(q * x + s * y == 0);
    assert(a >= 1);
    return a;
}
