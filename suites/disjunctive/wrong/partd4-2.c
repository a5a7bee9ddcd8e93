//~ inputs: n=-30..30 p=-30..30 q=-30..30 r=-30..30 s=-30..30
//~ violated-by: n=15 p=22 q=7 r=14 s=29
//~ wrong: the second loop does nothing for one single bound
// Partial decrement: i starts at n and is taken down to each of 4 bounds in turn; at the end i == min(n, p, q, r, s).
#include <assert.h>

void vassume(int condition);
void vtrace1(int n, int p, int q, int r, int s, int i);
void vtrace2(int n, int p, int q, int r, int s, int i);
void vtrace3(int n, int p, int q, int r, int s, int i);
void vtrace4(int n, int p, int q, int r, int s, int i);
void vtrace5(int n, int p, int q, int r, int s, int i);

int mainQ(int n, int p, int q, int r, int s) {
    int i = n;
    while (1) {
        vtrace1(n, p, q, r, s, i);
        if (!(i > p)) break;
        i = i - 1;
    }
    while (1) {
        vtrace2(n, p, q, r, s, i);
        if (!(i > q && q != 7)) break;
        i = i - 1;
    }
    while (1) {
        vtrace3(n, p, q, r, s, i);
        if (!(i > r)) break;
        i = i - 1;
    }
    while (1) {
        vtrace4(n, p, q, r, s, i);
        if (!(i > s)) break;
        i = i - 1;
    }
    vtrace5(n, p, q, r, s, i);
    assert(i <= n && i <= p && i <= q && i <= r && i <= s);
    assert(i == n || i == p || i == q || i == r || i == s);
    return i;
}
