//~ inputs: a=0..300
// Cohen's cubes: x runs through the cubes of n by additions only.
#include <assert.h>

void vassume(int condition);
void vtrace1(int a, int n, int x, int y, int z);

int mainQ(int a) {
    vassume(a >= 0);
    int n = 0, x = 0, y = 1, z = 6;
    while (1) {
        vtrace1(a, n, x, y, z);
        if (!(n <= a)) break;
        n = n + 1;
        x = x + y;
        y = y + z;
        z = z + 6;
    }
    assert(n == a + 1);
    assert(x == (a + 1) * (a + 1) * (a + 1));
    return x;
}
