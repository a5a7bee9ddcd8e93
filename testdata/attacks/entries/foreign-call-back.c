//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
extern void other(void);
static int s;
void set(void) { s = 1; }
void f(void) {
    s = 0;
    other();
    assert(s == 0);
}
