#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = calloc(1, sizeof *p);
    free(p);
    *p = 1; //~ ERROR use-after-free
    return 0;
#else
    int *p = calloc(1, sizeof *p);
    *p = 1;
    free(p);
    return 0;
#endif
}
