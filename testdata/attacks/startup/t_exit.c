//@ class: startup
//@ args: prove
//@ twin: proved
/* Without its header, the library's is meant. */
#include <assert.h>
void exit(int);
extern int nondet_int(void);
int main(void) {
    int x = nondet_int();
    if (x < 3) exit(1);
    assert(x >= 3);
    return 0;
}
