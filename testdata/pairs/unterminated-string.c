#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[4] = {'a', 'b', 'c', 'd'};
    return strlen(a) == (size_t)argc; //~ ERROR out-of-bounds
#else
    char a[5] = {'a', 'b', 'c', 'd'};
    return strlen(a) == (size_t)argc;
#endif
}
