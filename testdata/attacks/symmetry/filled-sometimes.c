//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
#include <string.h>
int f(int a,int b) {
    int x;
    if(a+b>3) memset(&x,a+b,sizeof x);
    return x;
}
