//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
#include <stdlib.h>
static int n;
static int compare(const void *x, const void *y) {
    n++;
    return *(const int *)x - *(const int *)y;
}
int f(int a, int b) {
    int v[2] = {a, b};
    qsort(v, 2, sizeof *v, compare);
    return v[0] + v[1] + (n == 1000000 && a < b);
}
