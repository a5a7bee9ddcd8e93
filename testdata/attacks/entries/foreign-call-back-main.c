//@ class: entries
//@ args: prove
//@ never: proved
#include <assert.h>
extern void other(void);
static int s;
void set(void) { s = 1; }
int main(void) {
    s = 0;
    other();
    assert(s == 0);
    return 0;
}
