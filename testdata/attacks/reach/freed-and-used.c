//@ class: reach
//@ args: reach --entry release --target error
//@ never: unreachable
#include <stdlib.h>
int release(int *given) {
    free(given);
    return *given;
}
