//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
#include <stdlib.h>
int f(int a,int b) {
    int*p=malloc(64);
    if(!p) return 0;
    if(a==b) p[3]=a;
    int r=p[3];
    p[3]=a+b;
    free(p);
    return r;
}
