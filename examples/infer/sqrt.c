/* Integer square root by adding odd numbers. At vtrace1: t == 2*a + 1, 4*s == t*t + 2*t + 1, s == (a+1)*(a+1).
   A bound such as 9989 >= x only mirrors the inputs that were tried, and should not be shown. */
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int a, int s, int t);

int mainQ(int x) {
    vassume(x >= 0);
    int a = 0, s = 1, t = 1;
    while (1) {
        vtrace1(x, a, s, t);
        if (!(s <= x)) break;
        a = a + 1;
        t = t + 2;
        s = s + t;
    }
    assert(a * a <= x && x < (a + 1) * (a + 1));
    return a;
}
