//~ inputs: k=0..40
// Sum of the first k fourth powers.
#include <assert.h>

void vassume(int condition);
void vtrace1(int k, int y, int x);

int mainQ(int k) {
    vassume(k >= 0);
    int y = 0, x = 0;
    while (1) {
        vtrace1(k, y, x);
        if (!(y < k)) break;
        y = y + 1;
        x = x + y * y * y * y;
    }
    assert(y == k);
    assert(30 * x == 6 * k * k * k * k * k + 15 * k * k * k * k + 10 * k * k * k - k);
    return x;
}
