#include <stddef.h>

static int zero(void)
{
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int (*f)(void) = argc > 0 ? NULL : zero;
    return f(); //~ ERROR null-dereference
#else
    int (*f)(void) = argc > 0 ? zero : NULL;
    return f();
#endif
}
