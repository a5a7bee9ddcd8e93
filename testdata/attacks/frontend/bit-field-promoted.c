//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct S{
    unsigned a:31;
    unsigned b:32;
};
int main(void){
    struct S s;
    s.a=0;
    s.b=0;
    int k=__VERIFIER_nondet_int();
    if(k) assert((s.a-1<0)==(s.b-1<0));
}
