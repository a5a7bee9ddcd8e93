#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    const char *f = argc > 0 ? "%s\n" : "%d\n";
    printf(f, argc); //~ ERROR bad-format
    return 0;
#else
    const char *f = argc > 0 ? "%d\n" : "%s\n";
    printf(f, argc);
    return 0;
#endif
}
