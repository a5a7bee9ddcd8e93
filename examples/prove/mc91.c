/* McCarthy's function calls itself on its own result. That it gives 91 up to 101 follows by induction from what holds
   of its results, result == max(91, n - 10), which nobody wrote down. */
#include <assert.h>

int mc91(int n) {
    if (n > 100) return n - 10;
    return mc91(mc91(n + 11));
}

int mainQ(int n) {
    int r = mc91(n);
    if (n <= 101) assert(r == 91);
    else assert(r == n - 10);
    return r;
}
