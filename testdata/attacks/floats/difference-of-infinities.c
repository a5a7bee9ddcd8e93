//@ class: floats
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int f(float a,float b){
    if(a==b) assert(a-b==0);
    return 0;
}
