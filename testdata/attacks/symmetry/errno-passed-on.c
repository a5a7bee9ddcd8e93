//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
#include <errno.h>
static int get(int *p) { return *p; }
int f(int a, int b) {
    int e = get(&errno);
    errno = a;
    return a + b + (e == 1000 && a < b);
}
