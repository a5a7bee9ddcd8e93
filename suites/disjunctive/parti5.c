//~ inputs: n=-30..30 p=-30..30 q=-30..30 r=-30..30 s=-30..30 t=-30..30
// Partial increment: i starts at n and is taken up to each of 5 bounds in turn; at the end i == max(n, p, q, r, s, t).
#include <assert.h>

void vassume(int condition);
void vtrace1(int n, int p, int q, int r, int s, int t, int i);
void vtrace2(int n, int p, int q, int r, int s, int t, int i);
void vtrace3(int n, int p, int q, int r, int s, int t, int i);
void vtrace4(int n, int p, int q, int r, int s, int t, int i);
void vtrace5(int n, int p, int q, int r, int s, int t, int i);
void vtrace6(int n, int p, int q, int r, int s, int t, int i);

int mainQ(int n, int p, int q, int r, int s, int t) {
    int i = n;
    while (1) {
        vtrace1(n, p, q, r, s, t, i);
        if (!(i < p)) break;
        i = i + 1;
    }
    while (1) {
        vtrace2(n, p, q, r, s, t, i);
        if (!(i < q)) break;
        i = i + 1;
    }
    while (1) {
        vtrace3(n, p, q, r, s, t, i);
        if (!(i < r)) break;
        i = i + 1;
    }
    while (1) {
        vtrace4(n, p, q, r, s, t, i);
        if (!(i < s)) break;
        i = i + 1;
    }
    while (1) {
        vtrace5(n, p, q, r, s, t, i);
        if (!(i < t)) break;
        i = i + 1;
    }
    vtrace6(n, p, q, r, s, t, i);
    assert(i >= n && i >= p && i >= q && i >= r && i >= s && i >= t);
    assert(i == n || i == p || i == q || i == r || i == s || i == t);
    return i;
}
