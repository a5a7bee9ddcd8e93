#include <stdarg.h>

static int first(int n, ...)
{
    va_list list;
    va_start(list, n);
    int x = va_arg(list, int);
#ifdef TWIN
    va_end(list);
#endif
    return x + n; //~ ERROR bad-argument
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    return first(argc, 2) == 77;
#else
    return first(argc, 2) == 77;
#endif
}
