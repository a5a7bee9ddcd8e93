//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void){
    int k=__VERIFIER_nondet_int();
    long v=(k?-1:0u);
    assert(v==-1||k==0);
}
