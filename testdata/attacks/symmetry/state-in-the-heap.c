//@ class: symmetry
//@ args: symmetry --entry next --permute a,b --domain a,b=0..9
//@ never: violated
//@ never: holds
#include <stdlib.h>
int next(int a, int b) {
    static int *seen;
    if (!seen) seen = calloc(1, sizeof *seen);
    if (!seen) return 0;
    return ++*seen % 4 ? a + b : b;
}
