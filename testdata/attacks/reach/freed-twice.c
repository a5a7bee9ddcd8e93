//@ class: reach
//@ args: reach --entry release --target error
//@ never: unreachable
#include <stdlib.h>
struct two { char *a, *b; };
// Undefined if both are one.
int release(struct two *t) {
    free(t->a);
    free(t->b);
    return 1;
}
