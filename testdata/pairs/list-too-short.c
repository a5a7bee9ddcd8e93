#include <stdarg.h>

static int sum(int n, ...)
{
    int total = 0;
    va_list list;
    va_start(list, n);
    while (n--)
        total += va_arg(list, int); //~ ERROR bad-call
    va_end(list);
    return total;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    return sum(2, argc) == 77;
#else
    return sum(2, argc, argc) == 77;
#endif
}
