#include <stdarg.h>

static int first(int n, ...)
{
    va_list list;
    va_start(list, n);
    int x = va_arg(list, int); //~ ERROR bad-call
    va_end(list);
    return x;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    return first(1, 1.5) == 77;
#else
    return first(1, 2) == 77;
#endif
}
