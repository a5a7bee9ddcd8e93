//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int r = 0;
    switch (next() - next()) {
    case -1: r = 1; break;
    default: r = 2;
    }
    assert(r == 1);
    return 0;
}
