#include <stdlib.h>

_Noreturn static void stop(int n) //~ ERROR noreturn-returned
{
    if (n > 0)
        exit(1);
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    stop(argc - 1);
    return 0;
#else
    if (argc > 1)
        stop(argc);
    return 0;
#endif
}
