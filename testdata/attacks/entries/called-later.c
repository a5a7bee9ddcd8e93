//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
static int g;
void reg(void(*)(void));
void run(void);
static void set(void){
    g=2;
}
int f(void){
    reg(set);
    g=1;
    run();
    assert(g==1);
    return 0;
}
