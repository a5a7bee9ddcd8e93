#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[4], b[4] = {0};
    a[0] = argc - 1;
    return memcmp(a, b, 4) > 0; //~ ERROR uninitialised-read
#else
    char a[4], b[4] = {0};
    a[0] = argc - 1;
    return memcmp(a, b, 1) > 0;
#endif
}
