//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
#include <stdio.h>
int f(int a,int b) {
    int x;
    sscanf(a>b?"z":"z","%d",&x);
    return x+a+b;
}
