//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

#include <stdarg.h>
static int minus(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = va_arg(ap, int) - va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    assert(minus(2, 5, 3) == 2);
    return 0;
}
