//@ class: reach
//@ args: reach --entry release --target 9
//@ never: reached
//@ twin: unreachable
#include <stdlib.h>
int release(int *given, int n) {
    free(given);
    if (n > 5 && n < 5)
        return 2;
    return 1;
}
