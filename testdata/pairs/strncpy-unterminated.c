#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[4];
    strncpy(a, argc > 0 ? "abcdef" : "", 4);
    puts(a); //~ ERROR out-of-bounds
    return 0;
#else
    char a[4];
    strncpy(a, argc > 0 ? "abc" : "", 4);
    puts(a);
    return 0;
#endif
}
