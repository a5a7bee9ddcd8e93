//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
#include <stdlib.h>
int f(int a,int b) {
    char*p=malloc(8);
    p=realloc(p,64);
    int r=p[40];
    p[40]=a-b;
    free(p);
    return r;
}
