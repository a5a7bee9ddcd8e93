//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
#include <math.h>
int f(int a, int b) {
    int sign = signgam;
    lgamma(a * 0.5 + 0.25);
    return a + b + (sign < 0 && a < b);
}
