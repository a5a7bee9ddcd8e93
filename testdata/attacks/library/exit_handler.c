//@ class: library
//@ args: prove
//@ never: proved
#define _GNU_SOURCE
#include <stdlib.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int g;
static void h(int a,void*b){
    assert(g==0);
}
int main(void){
    on_exit(h,0);
    while(__VERIFIER_nondet_int()) g=1;
    return 0;
}
