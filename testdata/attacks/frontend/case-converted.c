//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void){
    while(__VERIFIER_nondet_int()){
        int x=__VERIFIER_nondet_int(),r=0;
        switch(x){
            case 0x100000001LL: r=1;
        }
        assert(r==0);
    }
}
