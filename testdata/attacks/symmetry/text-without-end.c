//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
#include <string.h>
int f(int a,int b) {
    char c[8];
    strncpy(c,"ab",2);
    return a>b?strlen(c)%8:strlen(c)%8;
}
