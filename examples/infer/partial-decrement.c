/* Lowers i to each of three bounds in turn. At vtrace1: i == min(n, p, q, r).
   Three loops one after another, and no variable says which of them did the work. */
#include <assert.h>

void vtrace1(int n, int p, int q, int r, int i);

int mainQ(int n, int p, int q, int r) {
    int i = n;
    while (i > p) i--;
    while (i > q) i--;
    while (i > r) i--;
    vtrace1(n, p, q, r, i);
    assert(i <= n && i <= p && i <= q && i <= r);
    assert(i == n || i == p || i == q || i == r);
    return i;
}
