//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct S{
    unsigned a:2;
    unsigned b:8;
};
int main(void){
    struct S s;
    int k=__VERIFIER_nondet_int();
    if(k){
        s.b=s.a=7;
        assert(s.b==7);
    }
}
