//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
enum E{
    A,B
};
int f(enum E e){
    assert(e==A||e==B);
    return 0;
}
