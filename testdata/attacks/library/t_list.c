//@ class: library
//@ args: prove
//@ twin: proved assert
#include <assert.h>
#include <stdarg.h>
static long sum(int n, ...) {
    va_list list;
    va_start(list, n);
    long s = va_arg(list, int);
    s += va_arg(list, long);
    s += (long)va_arg(list, double);
    s += va_arg(list, unsigned);
    va_end(list);
    return s;
}
int main(void) {
    assert(sum(4, 1, 2L, 3.0f, 4) == 10);
    return 0;
}
