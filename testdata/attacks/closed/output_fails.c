//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(putchar('x') == 'x');
    assert(fflush(stdout) == 0);
    return 0;
}
