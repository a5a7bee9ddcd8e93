//@ class: library
//@ args: prove
//@ never: proved
#include <string.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void){
    int k=__VERIFIER_nondet_int();
    unsigned char b[2];
    memset(b,k,2);
    assert(b[0]==k||k<0);
}
