//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
//@ never: violated
// A program starts without an error: f(0, 1) and f(1, 0) are both 1 then, and what an earlier call leaves decides later.
#include <errno.h>
int f(int a, int b) {
    if (errno)
        return a;
    errno = a > 3;
    return a + b;
}
