//@ class: library
//@ args: prove
//@ never: proved
#include <stdlib.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int g;
static void h(void){
    assert(g==0);
}
int main(void){
    at_quick_exit(h);
    while(__VERIFIER_nondet_int()) g=1;
    quick_exit(0);
}
