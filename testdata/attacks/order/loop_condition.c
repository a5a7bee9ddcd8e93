//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
int main(void) {
    int n = 0;
    while (next() - next() == -1 && n < 3)
        n++;
    assert(n == 3);
    return 0;
}
