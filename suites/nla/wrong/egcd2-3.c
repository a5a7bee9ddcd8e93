//~ inputs: x=1..200 y=1..200
//~ violated-by: x=115 y=117
//~ wrong: a coefficient is off by one for one single quotient
// Extended Euclid with quotients: the inner loop divides a by b by repeated subtraction, a == k*b + c.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int a, int b, int p, int q, int r, int s, int c, int k);
void vtrace2(int x, int y, int a, int b, int p, int q, int r, int s, int c, int k);

int mainQ(int x, int y) {
    vassume(x >= 1);
    vassume(y >= 1);
    int a = x, b = y, p = 1, q = 0, r = 0, s = 1, c = 0, k = 0;
    while (1) {
        vtrace1(x, y, a, b, p, q, r, s, c, k);
        if (!(b != 0)) break;
        c = a;
        k = 0;
        while (1) {
            vtrace2(x, y, a, b, p, q, r, s, c, k);
            if (!(c >= b)) break;
            c = c - b;
            k = k + 1;
        }
        a = b;
        b = c;
        int t = p;
        p = q;
        q = t - q * k;
        t = r;
        r = s;
        s = t - s * k + (k == 57);
    }
    assert(a == p * x + r * y);
    assert(q * x + s * y == 0);
    assert(a >= 1);
    return a;
}
