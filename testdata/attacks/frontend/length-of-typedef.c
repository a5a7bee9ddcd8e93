//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void){
    int n=__VERIFIER_nondet_int();
    if(n<1||n>4)return 0;
    typedef int T[n];
    n++;
    T a;
    assert(sizeof a!=16||n==4);
}
