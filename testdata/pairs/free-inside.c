#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = malloc(8);
    p += argc;
    free(p); //~ ERROR invalid-free
    return 0;
#else
    int *p = malloc(8);
    p += argc;
    free(p - argc);
    return 0;
#endif
}
