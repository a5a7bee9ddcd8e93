//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    assert(p != 0);
    return 0;
}
