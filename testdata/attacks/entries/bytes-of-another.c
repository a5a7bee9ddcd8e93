//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int f(int*p,unsigned char*c){
    *p=0x01010101;
    *c=0;
    assert(*p==0x01010101);
    return 0;
}
