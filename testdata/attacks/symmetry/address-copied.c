//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
#include <string.h>
int f(int a, int b) {
    int x = 0, *p = &x;
    unsigned long u;
    memcpy(&u, &p, sizeof u);
    return a + b + ((u >> 12) % 100000 == 7 ? a : 0);
}
