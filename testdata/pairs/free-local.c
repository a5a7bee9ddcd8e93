#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = 0, *p = argc > 0 ? &x : malloc(4);
    free(p); //~ ERROR invalid-free
    return 0;
#else
    int x = 0, *p = argc > 0 ? malloc(4) : &x;
    free(p);
    return 0;
#endif
}
