#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[4];
    sprintf(a, "%d", 1000 * argc); //~ ERROR out-of-bounds
    return a[0] == 0;
#else
    char a[5];
    sprintf(a, "%d", 1000 * argc);
    return a[0] == 0;
#endif
}
