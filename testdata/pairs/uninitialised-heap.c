#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = malloc(4 * argc);
    int x = p[0] > 3; //~ ERROR uninitialised-read
    free(p);
    return x;
#else
    int *p = calloc(4, argc);
    int x = p[0] > 3;
    free(p);
    return x;
#endif
}
