#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = calloc(1, sizeof *p);
    free(p);
    return *p; //~ ERROR use-after-free
#else
    int *p = calloc(1, sizeof *p);
    int x = *p;
    free(p);
    return x;
#endif
}
