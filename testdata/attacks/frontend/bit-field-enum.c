//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int __VERIFIER_nondet_int(void);
enum E{
    A,B,C
};
struct S{
    enum E e:2;
};
int main(void){
    struct S s;
    s.e=C;
    int k=__VERIFIER_nondet_int();
    if(k) assert(s.e==-2);
}
