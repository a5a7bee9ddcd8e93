//@ class: library
//@ args: prove
//@ never: proved
#include <string.h>
#include <assert.h>
int main(int c,char**v){
    if(c<2)return 0;
    char b[5]="xxxx";
    strncpy(b,v[1],4);
    assert(strlen(b)<4||b[3]=='x');
}
