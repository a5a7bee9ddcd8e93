#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[8], b[4] = {0};
    memcpy(a, b, 4 + argc); //~ ERROR out-of-bounds
    return a[0];
#else
    char a[8], b[4] = {0};
    memcpy(a, b, 3 + argc);
    return a[0];
#endif
}
