#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = malloc(4);
    free(p);
    free(p); //~ ERROR double-free
    return 0;
#else
    int *p = malloc(4);
    free(p);
    p = NULL;
    free(p);
    return 0;
#endif
}
