//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
static int pair(void) { return next() * 10 + next(); }
int main(void) {
    assert(pair() == 12);
    return 0;
}
