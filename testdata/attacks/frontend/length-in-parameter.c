//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
int f(int n,int a[n++]){
    return n;
}
int main(void){
    int b[3];
    int k=__VERIFIER_nondet_int();
    if(k!=5)return 0;
    assert(f(k,b)==k);
}
