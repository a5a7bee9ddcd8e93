//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int x = ({ next(); g * 10; }) + next();
    assert(x == 12);
    return 0;
}
