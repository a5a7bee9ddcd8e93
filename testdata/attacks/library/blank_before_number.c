//@ class: library
//@ args: prove
//@ never: proved
#include <stdlib.h>
#include <assert.h>
int main(int c,char**v){
    if(c<2)return 0;
    long k=strtol(v[1],0,10);
    if(v[1][0]=='\v') assert(k==0);
}
