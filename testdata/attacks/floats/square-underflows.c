//@ class: floats
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int f(float a){
    if(a>0) assert(a*a>0);
    return 0;
}
