//@ class: reach
//@ args: reach --entry release --target 8
//@ never: unreachable
#include <stdlib.h>
// Callers are given what lies behind a header of eight bytes.
int release(char *given) {
    free(given - 8);
    return 1;
}
