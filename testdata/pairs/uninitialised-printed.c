#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[2];
    a[0] = argc;
    printf("%d\n", a[argc]); //~ ERROR uninitialised-read
    return 0;
#else
    int a[2];
    a[0] = argc;
    printf("%d\n", a[argc - 1]);
    return 0;
#endif
}
