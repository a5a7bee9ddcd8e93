//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int t[4];
static int put(int i) { t[i] = t[0] + 1; return t[i]; }
int main(void) {
    int x = put(1) * 10 + put(0);
    assert(x == 11);
    return 0;
}
