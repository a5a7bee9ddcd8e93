//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int f(const int*p,int*q){
    int a=*p;
    *q=a+1;
    assert(*p==a);
    return 0;
}
