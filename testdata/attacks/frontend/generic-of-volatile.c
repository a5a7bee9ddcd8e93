//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    volatile int v = 0;
    volatile int *p = &v;
    assert(_Generic(p, int *: 1, volatile int *: 2) == 1);
    return 0;
}
