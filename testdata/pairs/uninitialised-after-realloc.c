#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = calloc(1, 4);
    p = realloc(p, 8);
    int x = p[argc] > 3; //~ ERROR uninitialised-read
    free(p);
    return x;
#else
    int *p = calloc(1, 4);
    p = realloc(p, 8);
    int x = p[argc - 1] > 3;
    free(p);
    return x;
#endif
}
