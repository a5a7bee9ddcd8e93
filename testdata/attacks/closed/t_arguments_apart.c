//@ class: closed
//@ args: prove
//@ twin: proved assert
#include <assert.h>

static int bump(int *p) { return ++*p; }
static int pair(int x, int y) { return 10 * x + y; }
int main(void) {
    int a[2] = { 1, 2 };
    assert(pair(bump(&a[0]), bump(&a[1])) == 23);
    return 0;
}
