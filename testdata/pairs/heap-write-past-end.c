#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char *a = malloc(4);
    a[3 + argc] = 1; //~ ERROR out-of-bounds
    free(a);
    return 0;
#else
    char *a = malloc(4);
    a[2 + argc] = 1;
    free(a);
    return 0;
#endif
}
