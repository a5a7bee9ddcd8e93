//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
static int sub(int a, int b) { return a - b; }
int main(void) {
    int (*f)(void) = next;
    assert(sub(f(), f()) == -1);
    return 0;
}
