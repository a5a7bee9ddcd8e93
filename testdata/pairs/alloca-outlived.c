#include <alloca.h>

static int *room(int n)
{
#ifdef TWIN
    static int kept[1];
    int *p = kept;
#else
    int *p = alloca(4 * n);
#endif
    *p = n - 1;
    return p;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = room(argc);
    return *p; //~ ERROR use-after-scope
#else
    int *p = room(argc);
    return p[0];
#endif
}
