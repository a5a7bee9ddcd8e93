//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void){
    _Bool b=0;
    while(__VERIFIER_nondet_int()){
        b--;
        assert(!b);
    }
}
