/* What strncpy does to lengths (counted with the terminator). At vtrace1: min(d, n + 1) == min(s, n + 1), that is,
   the terminator arrives if n >= s, and otherwise the destination is longer than n. */
#include <assert.h>

void vassume(int condition);
void vtrace1(int n, int s, int d);

int mainQ(int n, int s, int d) {
    vassume(n >= 0 && s >= 1 && d >= 1);
    for (int i = 1; i <= n && i <= s; i++) {
        if (i == s)
            d = s; /* byte number s is the terminator */
        else if (d == i)
            d = i + 1; /* the old terminator is overwritten, zeros follow it */
    }
    vtrace1(n, s, d);
    assert((n >= s && d == s) || (n < s && d >= n));
    return d;
}
