//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
#include <errno.h>
int f(void) {
    if (errno == 2)
        goto L;
    return 0;
L:
    return 1;
}
