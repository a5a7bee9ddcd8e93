//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
#include <alloca.h>
int f(int a,int b) {
    int*p=alloca(40);
    int r=p[5];
    p[5]=a+b;
    return r;
}
