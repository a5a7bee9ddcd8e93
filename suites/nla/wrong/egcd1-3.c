//~ inputs: x=1..200 y=1..200
//~ violated-by: x=154 y=158
//~ wrong: adds the false claim that two coefficients differ at the end
// Extended Euclid by subtraction: a and b stay integer combinations of x and y, and the matrix of the combinations
// keeps determinant 1, so that a divides both x and y at the end.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y, int a, int b, int p, int q, int r, int s);

int mainQ(int x, int y) {
    vassume(x >= 1);
    vassume(y >= 1);
    int a = x, b = y, p = 1, q = 0, r = 0, s = 1;
    while (1) {
        vtrace1(x, y, a, b, p, q, r, s);
        if (!(a != b)) break;
        if (a > b) {
            a = a - b;
            p = p - q;
            r = r - s;
        } else {
            b = b - a;
            q = q - p;
            s = s - r;
        }
    }
    assert(a == p * x + r * y);
    assert(x == a * (s - r) && (x == y || p != s));
    assert(y == a * (p - q));
    return a;
}
