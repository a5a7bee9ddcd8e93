/* Integer square root by adding odd numbers. The assertion needs s == (a+1)*(a+1), which follows from t == 2*a + 1 and
   4*s == t*t + 2*t + 1; nobody has to say so. A bound such as 9989 >= x is false, and an input shows it. */
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
