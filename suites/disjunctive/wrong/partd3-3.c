//~ inputs: n=-30..30 p=-30..30 q=-30..30 r=-30..30
//~ violated-by: n=-3 p=-21 q=-8 r=-30
//~ wrong: claims that r is never the strict minimum
// Partial decrement: i starts at n and is taken down to each of 3 bounds in turn; at the end i == min(n, p, q, r).
#include <assert.h>

void vassume(int condition);
void vtrace1(int n, int p, int q, int r, int i);
void vtrace2(int n, int p, int q, int r, int i);
void vtrace3(int n, int p, int q, int r, int i);
void vtrace4(int n, int p, int q, int r, int i);

int mainQ(int n, int p, int q, int r) {
    int i = n;
    while (1) {
        vtrace1(n, p, q, r, i);
        if (!(i > p)) break;
        i = i - 1;
    }
    while (1) {
        vtrace2(n, p, q, r, i);
        if (!(i > q)) break;
        i = i - 1;
    }
    while (1) {
        vtrace3(n, p, q, r, i);
        if (!(i > r)) break;
        i = i - 1;
    }
    vtrace4(n, p, q, r, i);
    assert(i <= n && i <= p && i <= q && i <= r);
    assert(i == n || i == p || i == q);
    return i;
}
