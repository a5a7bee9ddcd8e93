//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdarg.h>
static int first(int n, ...) {
    va_list list;
    va_start(list, n);
    int value = va_arg(list, int);
    va_end(list);
    return value;
}
int main(void) {
    assert(first(1, 3.0) == 3);
    return 0;
}
