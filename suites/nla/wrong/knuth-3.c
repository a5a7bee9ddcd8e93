//~ inputs: n=3..900 a=3..31 s=1..30
//~ violated-by: n=625 a=9 s=25
//~ wrong: a start value is off by one for one single input
// Knuth's search for an odd divisor of n from a upwards, without divisions inside the loop. s is the integer square
// root of n, given as an input. d is odd, so d divides n when it divides 8 * n; that is what the assertion says.
#include <assert.h>

void vassume(int condition);
void vtrace1(int n, int a, int r, int k, int q, int d, int s, int t);

int mainQ(int n, int a, int s) {
    vassume(n >= 3);
    vassume(a >= 3);
    vassume(a % 2 == 1);
    vassume(s >= 1);
    vassume(s * s <= n);
    vassume(n < (s + 1) * (s + 1));
    int d = a, r = n % d, k = n % (d - 2) - (n == 625), q = 4 * (n / (d - 2) - n / d), t = 0;
    while (1) {
        vtrace1(n, a, r, k, q, d, s, t);
        if (!(s >= d && r != 0)) break;
        if (2 * r - k + q < 0) {
            t = r;
            r = 2 * r - k + q + d + 2;
            k = t;
            q = q + 4;
            d = d + 2;
        } else if (2 * r - k + q < d + 2) {
            t = r;
            r = 2 * r - k + q;
            k = t;
            d = d + 2;
        } else if (2 * r - k + q < 2 * d + 4) {
            t = r;
            r = 2 * r - k + q - d - 2;
            k = t;
            q = q - 4;
            d = d + 2;
        } else {
            t = r;
            r = 2 * r - k + q - 2 * d - 4;
            k = t;
            q = q - 8;
            d = d + 2;
        }
    }
    assert(d * d * q - 2 * q * d - 4 * r * d + 4 * k * d + 8 * r == 8 * n);
    assert(r != 0 || d * (d * q - 2 * q + 4 * k) == 8 * n);
    return d;
}
