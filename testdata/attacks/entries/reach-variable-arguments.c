//@ class: entries
//@ args: reach --entry f --target BAD
//@ never: unreachable
#include <stdarg.h>
int f(int n, ...) {
    va_list list;
    va_start(list, n);
    int x = va_arg(list, int);
    va_end(list);
    if (x == 3) {
    BAD:
        return 1;
    }
    return 0;
}
