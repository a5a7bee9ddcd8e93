//@ class: library
//@ args: prove
//@ never: proved
#include <ctype.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void){
    int c=__VERIFIER_nondet_int();
    if(c<0||c>255)return 0;
    assert(isalpha(c)==0||isalpha(c)==1);
}
