//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
void ext(int*);
void run(void);
int f(void){
    int x=1;
    ext(&x);
    x=1;
    run();
    assert(x==1);
    return 0;
}
