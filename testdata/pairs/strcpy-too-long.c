#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[4];
    strcpy(a, argc > 0 ? "four" : ""); //~ ERROR out-of-bounds
    return a[0] == 0;
#else
    char a[5];
    strcpy(a, argc > 0 ? "four" : "");
    return a[0] == 0;
#endif
}
