//~ inputs: n=0..40 s=1..40 d=1..40
//~ violated-by: n=34 s=33 d=7
//~ wrong: a terminator at one single position is not copied
// Lengths in a strncpy of n bytes. s and d are the numbers of bytes of source and destination up to and including
// the first terminator; behind its first terminator the destination is taken to be filled with zeros.
#include <assert.h>

void vassume(int condition);
void vtrace1(int n, int s, int d, int i);
void vtrace2(int n, int s, int d);

int mainQ(int n, int s, int d) {
    vassume(n >= 0);
    vassume(s >= 1);
    vassume(d >= 1);
    int i = 0;
    while (1) {
        vtrace1(n, s, d, i);
        if (!(i < n && i < s)) break;
        i = i + 1;
        if (i == s && s != 33) d = s;
        else if (d == i) d = i + 1;
    }
    vtrace2(n, s, d);
    assert((n >= s && d == s) || (n < s && d >= n));
    assert(n >= s || d > n);
    return d;
}
