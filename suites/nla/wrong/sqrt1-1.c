//~ inputs: n=0..2000
//~ violated-by: n=9
//~ wrong: the loop misses exact squares
// Integer square root by adding odd numbers: s is the next square, t the next odd number.
#include <assert.h>

void vassume(int condition);
void vtrace1(int a, int n, int s, int t);

int mainQ(int n) {
    vassume(n >= 0);
    int a = 0, s = 1, t = 1;
    while (1) {
        vtrace1(a, n, s, t);
        if (!(s < n)) break;
        a = a + 1;
        t = t + 2;
        s = s + t;
    }
    assert(a * a <= n);
    assert(n < (a + 1) * (a + 1));
    return a;
}
