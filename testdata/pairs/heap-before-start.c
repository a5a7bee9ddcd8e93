#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *a = calloc(4, sizeof *a);
    int x = a[-argc]; //~ ERROR out-of-bounds
    free(a);
    return x;
#else
    int *a = calloc(4, sizeof *a);
    int x = a[argc];
    free(a);
    return x;
#endif
}
