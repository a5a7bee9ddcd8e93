//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
static int sub(int a, int b) { return a - b; }
int main(void) {
    assert(sub((next(), g), next()) == -1);
    return 0;
}
