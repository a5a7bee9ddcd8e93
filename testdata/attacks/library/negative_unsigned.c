//@ class: library
//@ args: prove
//@ never: proved
#include <stdlib.h>
#include <assert.h>
int main(int c,char**v){
    if(c<2)return 0;
    unsigned long k=strtoul(v[1],0,10);
    if(v[1][0]=='-') assert(k==0||k==-1ul);
}
