#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[4];
    memset(a, 0, 4 + argc); //~ ERROR out-of-bounds
    return a[0];
#else
    char a[4];
    memset(a, 0, 3 + argc);
    return a[0];
#endif
}
