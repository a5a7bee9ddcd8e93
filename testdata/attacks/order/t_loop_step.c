//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int main(void) {
    int i, j, n = 0;
    for (i = 0, j = 10; i < j; i++, j--)
        n++;
    assert(n == 5);
    return 0;
}
