#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = calloc(1, sizeof *p);
    int *q = realloc(p, 1000);
    int x = *p; //~ ERROR use-after-free
    free(q);
    return x;
#else
    int *p = calloc(1, sizeof *p);
    int *q = realloc(p, 1000);
    int x = *q;
    free(q);
    return x;
#endif
}
