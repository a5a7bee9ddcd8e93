//@ class: restricted
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    int x;
    int *restrict p = &x;
    *p = 1;
    x = 2;
    assert(*p == 2);
    return 0;
}
