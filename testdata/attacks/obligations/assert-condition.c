//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
#include <assert.h>
int main(void) {
    int x = 0;
    assert(1 / x || 1);
    return 0;
}
