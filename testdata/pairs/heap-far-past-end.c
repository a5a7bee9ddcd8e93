#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char *a = calloc(100, 1);
    int x = a[5000 * argc]; //~ ERROR out-of-bounds
    free(a);
    return x;
#else
    char *a = calloc(100, 1);
    int x = a[99 * argc];
    free(a);
    return x;
#endif
}
