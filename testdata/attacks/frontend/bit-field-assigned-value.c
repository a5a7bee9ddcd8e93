//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct S{
    unsigned b:3;
};
int main(void){
    struct S s={
        0
    };
    int v;
    while(__VERIFIER_nondet_int()){
        v=(s.b=9);
        assert(v==9);
    }
}
