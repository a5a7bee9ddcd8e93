#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char *p = calloc(4, 1);
    free(p);
    return strlen(p) != 0; //~ ERROR use-after-free
#else
    char *p = calloc(4, 1);
    int n = strlen(p) != 0;
    free(p);
    return n;
#endif
}
