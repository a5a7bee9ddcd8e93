#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct v { int n; int a[]; } *v = calloc(1, sizeof *v + 4);
    int x = v->a[argc]; //~ ERROR out-of-bounds
    free(v);
    return x;
#else
    struct v { int n; int a[]; } *v = calloc(1, sizeof *v + 8);
    int x = v->a[argc];
    free(v);
    return x;
#endif
}
