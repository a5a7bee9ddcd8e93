//@ class: library
//@ args: prove
//@ never: proved
#include <string.h>
#include <assert.h>
int main(int c,char**v){
    if(c<2)return 0;
    if(strchr(v[1],256+'a')) assert(0);
}
